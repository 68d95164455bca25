//! Settings of a recording on Windows that captures the events of the report `windows`.
//!
//! Nobody has run the profile or the command lines on Windows; each output states this.

use serde_json::{Value, json};
use std::fmt::Write;
use taut_etl::{Guid, providers};

/// Name of the session and of its file.
const SESSION: &str = "tautline";
/// Level `verbose`.
const LEVEL: u8 = 5;
/// Size of a buffer in KiB, and numbers of buffers: 256 MiB hold some seconds of a busy machine.
const BUFFER_KIB: u32 = 1024;
const MIN_BUFFERS: u32 = 64;
const MAX_BUFFERS: u32 = 256;
/// Warning of each output.
const UNTESTED: &str = "Nobody has run this on Windows. Masks are those of published manifests.";
/// DxgKrnl's keyword of presents in builds of Windows 11, which the field tables do not have.
const PRESENT: (&str, u64) = ("Present", 0x800_0000);
/// Microsoft-Windows-Kernel-Process, which has no field table: its names need `--manifest` at the import.
const KERNEL_PROCESS: &str = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716";

/// Provider and keywords of the field tables, and those that request a rundown.
struct Wanted {
    guid: &'static str,
    keywords: &'static [&'static str],
    rundown: &'static [&'static str],
}

const WANTED: &[Wanted] = &[
    Wanted {
        guid: "802ec45a-1e99-4b83-9920-87c98277ba9d",
        keywords: &["Base", "References", "Resource", "Memory"],
        rundown: &["Resource"],
    },
    Wanted {
        guid: "5d8087dd-3a9b-4f56-90df-49196cdc4f11",
        keywords: &["Names", "Resources", "Markers", "ObjectLifetime"],
        rundown: &["Resources", "ObjectLifetime"],
    },
    Wanted { guid: "ca11c036-0102-4a2d-a6ad-f03cfed5d3c9", keywords: &["Objects", "Events"], rundown: &["Objects"] },
    Wanted { guid: "783aca0a-790e-4d7f-8451-aa850511c6b9", keywords: &["Events"], rundown: &[] },
];

/// A provider of the recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapturedProvider {
    pub name: String,
    pub guid: String,
    /// Names and masks of the keywords.
    pub keywords: Vec<(String, u64)>,
    pub mask: u64,
    /// Mask of the rundown at the start of the session; 0 for none.
    pub rundown_mask: u64,
}

/// Providers of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaptureProfile {
    pub providers: Vec<CapturedProvider>,
}

impl Default for CaptureProfile {
    fn default() -> Self {
        let mut providers: Vec<CapturedProvider> = WANTED.iter().filter_map(CapturedProvider::new).collect();
        if let Some(kernel) = providers.first_mut() {
            kernel.keywords.push((PRESENT.0.to_owned(), PRESENT.1));
            kernel.mask |= PRESENT.1;
        }
        // Names of processes and threads, with a rundown of those that exist.
        let names = [("WINEVENT_KEYWORD_PROCESS".to_owned(), 0x10), ("WINEVENT_KEYWORD_THREAD".to_owned(), 0x20)];
        providers.push(CapturedProvider {
            name: "Microsoft-Windows-Kernel-Process".to_owned(),
            guid: KERNEL_PROCESS.to_owned(),
            keywords: names.to_vec(),
            mask: 0x30,
            rundown_mask: 0x30,
        });
        Self { providers }
    }
}

impl CapturedProvider {
    fn new(wanted: &Wanted) -> Option<Self> {
        let table = providers().get(&Guid::parse(wanted.guid)?)?;
        let select = |names: &[&str]| {
            let known = table.keywords.iter().filter(|(name, _)| names.contains(&name.as_str()));
            known.cloned().collect::<Vec<_>>()
        };
        let mask = |keywords: &[(String, u64)]| keywords.iter().fold(0, |mask, (_, bit)| mask | bit);
        let keywords = select(wanted.keywords);
        Some(Self {
            name: table.name.clone(),
            guid: wanted.guid.to_owned(),
            mask: mask(&keywords),
            keywords,
            rundown_mask: mask(&select(wanted.rundown)),
        })
    }

    /// Name without the prefix of the vendor.
    fn short_name(&self) -> &str {
        self.name.strip_prefix("Microsoft-Windows-").unwrap_or(&self.name)
    }
}

impl CaptureProfile {
    /// A profile of Windows Performance Recorder (.wprp).
    pub fn wprp(&self) -> String {
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
             <!-- {UNTESTED} Start: wpr -start {SESSION}.wprp -filemode; stop: wpr -stop {SESSION}.etl -->\n\
             <WindowsPerformanceRecorder Version=\"1.0\" Author=\"Tautline\">\n\
             \x20 <Profiles>\n\
             \x20   <EventCollector Id=\"{SESSION}.collector\" Name=\"{SESSION}\">\n\
             \x20     <BufferSize Value=\"{BUFFER_KIB}\" />\n\
             \x20     <Buffers Value=\"{MAX_BUFFERS}\" />\n\
             \x20   </EventCollector>\n"
        );
        for provider in &self.providers {
            text += &provider.wprp();
        }
        let _ = write!(
            text,
            "\x20   <Profile Id=\"{SESSION}.Verbose.File\" Name=\"{SESSION}\" Description=\"Graphics events\" LoggingMode=\"File\" DetailLevel=\"Verbose\">\n\
             \x20     <Collectors>\n\
             \x20       <EventCollectorId Value=\"{SESSION}.collector\">\n\
             \x20         <EventProviders>\n"
        );
        for provider in &self.providers {
            let _ = writeln!(text, "            <EventProviderId Value=\"{}\" />", provider.short_name());
        }
        text + "          </EventProviders>\n        </EventCollectorId>\n      </Collectors>\n    </Profile>\n  </Profiles>\n</WindowsPerformanceRecorder>\n"
    }

    /// Command lines of `logman`. It has no rundown.
    pub fn logman(&self) -> Vec<String> {
        let mut lines =
            vec![format!("rem {UNTESTED} Objects that exist at the start are missing: logman requests no rundown.")];
        for (index, CapturedProvider { guid, mask, .. }) in self.providers.iter().enumerate() {
            let provider = format!("-p \"{{{guid}}}\" {mask:#x} {LEVEL:#x}");
            lines.push(match index {
                0 => format!(
                    "logman start {SESSION} {provider} -o {SESSION}.etl -bs {BUFFER_KIB} -nb {MIN_BUFFERS} {MAX_BUFFERS} -ct perf -ets"
                ),
                _ => format!("logman update {SESSION} {provider} -ets"),
            });
        }
        lines.push(format!("logman stop {SESSION} -ets"));
        lines
    }

    /// Command lines of `xperf`.
    pub fn xperf(&self) -> Vec<String> {
        let listed = |mask: fn(&CapturedProvider) -> u64| {
            let wanted = self.providers.iter().filter(|provider| mask(provider) != 0);
            let providers: Vec<String> =
                wanted.map(|provider| format!("{}:{:#x}:{LEVEL}", provider.guid, mask(provider))).collect();
            providers.join("+")
        };
        vec![
            format!("rem {UNTESTED}"),
            format!(
                "xperf -start {SESSION} -on {} -f {SESSION}.etl -BufferSize {BUFFER_KIB} -MinBuffers {MIN_BUFFERS} -MaxBuffers {MAX_BUFFERS}",
                listed(|provider| provider.mask)
            ),
            format!("xperf -capturestate {SESSION} {}", listed(|provider| provider.rundown_mask)),
            format!("xperf -stop {SESSION}"),
        ]
    }

    /// The providers as JSON.
    pub fn json(&self) -> Value {
        let keywords = |provider: &CapturedProvider| -> Value {
            provider.keywords.iter().map(|(name, mask)| (name.clone(), json!(format!("{mask:#x}")))).collect()
        };
        let provider = |provider: &CapturedProvider| {
            json!({
                "name": provider.name,
                "guid": provider.guid,
                "keywords": keywords(provider),
                "mask": format!("{:#x}", provider.mask),
                "rundown_mask": format!("{:#x}", provider.rundown_mask),
            })
        };
        json!({ "note": UNTESTED, "providers": self.providers.iter().map(provider).collect::<Vec<_>>() })
    }
}

impl CapturedProvider {
    fn wprp(&self) -> String {
        let names: Vec<&str> = self.keywords.iter().map(|(name, _)| name.as_str()).collect();
        let mut text = format!(
            "\x20   <!-- {} -->\n\
             \x20   <EventProvider Id=\"{}\" Name=\"{}\" NonPagedMemory=\"true\" Level=\"{LEVEL}\">\n\
             \x20     <Keywords>\n\
             \x20       <Keyword Value=\"{:#x}\" />\n\
             \x20     </Keywords>\n",
            names.join(", "),
            self.short_name(),
            self.guid,
            self.mask,
        );
        if self.rundown_mask != 0 {
            let _ = write!(
                text,
                "\x20     <CaptureStateOnStart>\n\
                 \x20       <Keyword Value=\"{:#x}\" />\n\
                 \x20     </CaptureStateOnStart>\n",
                self.rundown_mask
            );
        }
        text + "    </EventProvider>\n"
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_in_the_field_tables() {
        let profile = CaptureProfile::default();
        // The providers with a table, and Kernel-Process.
        assert_eq!(profile.providers.len(), WANTED.len() + 1);
        for (wanted, provider) in WANTED.iter().zip(&profile.providers) {
            let table = &providers()[&Guid::parse(wanted.guid).unwrap()];
            for name in wanted.keywords.iter().chain(wanted.rundown) {
                let (_, mask) = table.keywords.iter().find(|(known, _)| known == name).unwrap();
                assert_eq!(provider.mask & mask, *mask, "{name}");
            }
            assert_eq!(provider.mask & provider.rundown_mask, provider.rundown_mask, "{}", provider.name);
        }
        let kernel = &profile.providers[0];
        assert_eq!((kernel.mask, kernel.rundown_mask), (0x800_0000 | 0x1 | 0x4 | 0x40 | 0x80, 0x40));
    }

    #[test]
    fn each_form_has_every_provider_and_states_that_nobody_ran_it() {
        let profile = CaptureProfile::default();
        let forms =
            [profile.wprp(), profile.logman().join("\n"), profile.xperf().join("\n"), profile.json().to_string()];
        for text in forms {
            assert!(text.contains(UNTESTED), "{text}");
            for provider in &profile.providers {
                assert!(text.contains(&provider.guid) && text.contains(&format!("{:#x}", provider.mask)), "{text}");
            }
        }
    }

    #[test]
    fn elements_of_the_profile_are_closed_in_order() {
        let text = CaptureProfile::default().wprp();
        let mut open = Vec::new();
        for element in text.split('<').skip(1) {
            let name = element.split([' ', '>', '/']).next().unwrap_or_default();
            match element {
                _ if element.starts_with(['?', '!']) || element.contains("/>") => {}
                _ if element.starts_with('/') => {
                    let closed = element[1..].split('>').next();
                    assert_eq!(open.pop(), closed, "{element}");
                }
                _ => open.push(name),
            }
        }
        assert_eq!(open, Vec::<&str>::new());
    }
}
