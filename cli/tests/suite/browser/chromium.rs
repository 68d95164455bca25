//! Pages in Chromium, at several widths, light or dark.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const FRAMES: &str = include_str!("frames.html");
const WATCH: &str = include_str!("watch.js");
const PROBE: &str = include_str!("probe.js");

/// Widths of the frames, in pixels.
pub const WIDTHS: [u64; 3] = [1400, 1200, 420];

/// Results of one page at one width.
pub struct PageResult {
    pub page: String,
    pub width: u64,
    pub dark: bool,
    pub found: Value,
}

/// Path of the browser, if it is installed.
pub fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|file| file.is_file())
}

/// Opens pages of a folder, each at each width, and returns their results.
pub fn open_pages(browser: &Path, folder: &Path, pages: &[&str], dark: bool) -> Vec<PageResult> {
    let theme = if dark { "dark" } else { "light" };
    let mut requests = Vec::new();
    for page in pages {
        let probed = format!("{theme}-{page}");
        let text = fs::read_to_string(folder.join(page)).expect("the page");
        let text = text.replacen("<head>", &format!("<head><script>{WATCH}</script>"), 1);
        let (front, end) = text.rsplit_once("</body>").expect("the page's end");
        fs::write(folder.join(&probed), format!("{front}<script>{PROBE}</script></body>{end}")).expect("a copy");
        requests.extend(WIDTHS.map(|width| (*page, probed.clone(), width)));
    }
    let frames = folder.join(format!("{theme}-frames.html"));
    let list: Vec<Value> = requests.iter().map(|(_, probed, width)| json!([probed, width])).collect();
    fs::write(&frames, FRAMES.replace("/*asked*/[]", &Value::from(list).to_string())).expect("the frames");
    let found = findings(&dumped(browser, folder, &frames, dark));
    assert_eq!(found.len(), requests.len(), "pages that told nothing");
    let page_results = requests.into_iter().zip(found);
    page_results.map(|((page, _, width), found)| PageResult { page: page.to_owned(), width, dark, found }).collect()
}

/// DOM of the frames after all pages have reported.
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
    let page_text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(page_text.contains("findings"), "{page_text}\n{}", String::from_utf8_lossy(&output.stderr));
    page_text
}

fn findings(dumped: &str) -> Vec<Value> {
    let (_, rest) = dumped.split_once("<pre id=\"findings\">").expect("the findings' place");
    let page_text = rest.split_once('<').expect("its end").0;
    let texts: Vec<String> = serde_json::from_str(page_text).unwrap_or_else(|error| panic!("{error}: {page_text}"));
    texts.iter().map(|text| serde_json::from_str(text).expect("what a page tells")).collect()
}
