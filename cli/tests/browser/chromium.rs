//! Pages as Chromium shows them, at several widths, light or dark.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const FRAMES: &str = include_str!("frames.html");
const WATCH: &str = include_str!("watch.js");
const PROBE: &str = include_str!("probe.js");

/// Pixels across.
pub const WIDTHS: [u64; 3] = [1400, 1200, 420];

/// What a page looked like.
pub struct Looked {
    pub page: String,
    pub width: u64,
    pub dark: bool,
    pub found: Value,
}

/// The browser, where there is one.
pub fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

/// Looks at pages of a folder, each at each width.
pub fn look(browser: &Path, folder: &Path, pages: &[&str], dark: bool) -> Vec<Looked> {
    let theme = if dark { "dark" } else { "light" };
    let mut asked = Vec::new();
    for page in pages {
        let probed = format!("{theme}-{page}");
        let text = fs::read_to_string(folder.join(page)).expect("the page");
        let text = text.replacen("<head>", &format!("<head><script>{WATCH}</script>"), 1);
        let (front, end) = text.rsplit_once("</body>").expect("the page's end");
        fs::write(folder.join(&probed), format!("{front}<script>{PROBE}</script></body>{end}")).expect("a copy");
        asked.extend(WIDTHS.map(|width| (*page, probed.clone(), width)));
    }
    let frames = folder.join(format!("{theme}-frames.html"));
    let list: Vec<Value> = asked.iter().map(|(_, probed, width)| json!([probed, width])).collect();
    fs::write(&frames, FRAMES.replace("/*asked*/[]", &Value::from(list).to_string())).expect("the frames");
    let found = findings(&dumped(browser, folder, &frames, dark));
    assert_eq!(found.len(), asked.len(), "pages that told nothing");
    let looked = asked.into_iter().zip(found);
    looked.map(|((page, _, width), found)| Looked { page: page.to_owned(), width, dark, found }).collect()
}

/// The frames' elements once all pages have told what they have to tell.
fn dumped(browser: &Path, folder: &Path, frames: &Path, dark: bool) -> String {
    let data = tempfile::tempdir_in(folder).expect("a folder");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--dump-dom"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars"])
        .args(["--window-size=1500,1000", "--virtual-time-budget=600000", "--force-device-scale-factor=1"])
        .arg(format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 }))
        .arg(format!("--user-data-dir={}", data.path().display()))
        .arg(format!("file://{}", frames.display()))
        .output()
        .expect("the browser runs");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("findings"), "{told}\n{}", String::from_utf8_lossy(&output.stderr));
    told
}

fn findings(dumped: &str) -> Vec<Value> {
    let (_, rest) = dumped.split_once("<pre id=\"findings\">").expect("the findings' place");
    let told = rest.split_once('<').expect("its end").0;
    let texts: Vec<String> = serde_json::from_str(told).unwrap_or_else(|error| panic!("{error}: {told}"));
    texts.iter().map(|text| serde_json::from_str(text).expect("what a page tells")).collect()
}
