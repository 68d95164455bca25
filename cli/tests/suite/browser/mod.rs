//! Tests of pages in a real browser. Without one, each test prints its name and is skipped.
#![allow(clippy::expect_used)]

mod chromium;
use crate::taut;

use chromium::{PageResult, WIDTHS, chromium, open_pages};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use taut::{Taut, recorded};

const COURTYARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/scenes/courtyard/courtyard.gltf");
const DUMP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/allocator-dump.json");
const PRESENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/presents/test_case_5.csv");
const BUDGET: &str = "limits = [\"health.lost_events == 0\", \"alignment.peak.waste_ratio <= 0.1 %\"]\n";
/// A name that must not act as markup, and that has no space to break at.
const HOSTILE: &str = "<b>a_name_that_is_long_and_has_no_blank_where_it_could_be_broken_and_ends_in_<i>.taut";

/// Pages of every kind: every report, one trace and several, a budget.
const PAGES: [(&str, &[&str]); 10] = [
    ("level.html", &["level.taut", "--budget", "budget.toml"]),
    ("pix.html", &["pix.taut"]),
    ("tiling.html", &["rows.taut", "optimized.taut"]),
    ("tight.html", &["court.taut", "tight.taut"]),
    ("passes.html", &["pix.taut", "again.taut"]),
    ("names.html", &[HOSTILE, "level.taut"]),
    ("dump.html", &["dump.taut"]),
    ("present.html", &["real.taut"]),
    ("presents.html", &["two.taut", "one.taut"]),
    ("handles.html", &["contexts.taut"]),
];

fn make_pages(folder: &Path) {
    let taut = Taut::new(folder);
    fs::copy(recorded(&taut), folder.join(HOSTILE)).expect("a copy");
    for command in [
        &["record", "pix-single-frame", "-o", "pix.taut"][..],
        &["record", "pix-single-frame", "--seed", "2", "-o", "again.taut"],
        &["record", "texture-upload", "--set", "mode=linear-rows", "-o", "rows.taut"],
        &["record", "texture-upload", "--set", "mode=optimized", "-o", "optimized.taut"],
        &["record", DUMP, "-o", "dump.taut"],
        &["record", COURTYARD, "--set", "items=views", "-o", "court.taut"],
        &["replay", "court.taut", "--tight", "on", "-o", "tight.taut"],
        &["record", PRESENTS, "-o", "real.taut"],
        &["record", "deferred-contexts", "--driver", "faulty-walks", "-o", "calls.taut"],
        &["replay", "calls.taut", "--setting", "handle_accesses=true", "-o", "contexts.taut"],
        &["record", "hybrid-laptop", "--driver", "igpu-tier1+dgpu", "--set", "frames=300", "-o", "two.taut"],
        &["record", "hybrid-laptop", "--driver", "igpu-tier3+dgpu", "--set", "frames=300", "-o", "one.taut"],
    ] {
        taut.stdout(command);
    }
    fs::write(folder.join("budget.toml"), BUDGET).expect("a budget");
    for (page, arguments) in PAGES {
        let run = taut.run(&[&["analyze"], arguments, &["--format", "html", "-o", page]].concat());
        assert!(run.code <= 1 && folder.join(page).is_file(), "{page}: {}", run.stderr);
    }
}

/// Results of all pages at all widths, light and dark, computed once for all tests; empty without a browser.
fn page_results(test: &str) -> &'static [PageResult] {
    static LOOKED: OnceLock<Vec<PageResult>> = OnceLock::new();
    let Some(browser) = chromium() else {
        eprintln!("{test}: skipped: there is no Chromium in PATH");
        return &[];
    };
    LOOKED.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        make_pages(folder.path());
        let names = PAGES.map(|(page, _)| page);
        [false, true].into_iter().flat_map(|dark| open_pages(&browser, folder.path(), &names, dark)).collect()
    })
}

impl PageResult {
    fn named(&self) -> String {
        format!("{} at {} px, {}", self.page, self.width, if self.dark { "dark" } else { "light" })
    }

    fn list(&self, key: &str) -> &[Value] {
        self.found[key].as_array().map_or(&[], Vec::as_slice)
    }
}

#[test]
fn pages_have_the_width_and_the_theme_that_they_are_looked_at_in_and_make_no_error() {
    for page in page_results("pages_have_the_width_and_the_theme_that_they_are_looked_at_in_and_make_no_error") {
        assert!(WIDTHS.contains(&page.width));
        assert_eq!(page.list("wrongs"), [] as [Value; 0], "{}", page.named());
        assert_eq!(page.found["width"], page.width, "{}", page.named());
        assert_eq!(page.found["dark"], page.dark, "{}", page.named());
        assert_eq!(page.found["theme"], if page.dark { "dark" } else { "light" });
    }
}

#[test]
fn nothing_is_cut_or_scrolled_sideways() {
    for page in page_results("nothing_is_cut_or_scrolled_sideways") {
        assert_eq!(page.list("wide"), [] as [Value; 0], "{}", page.named());
    }
}

#[test]
fn words_stand_out() {
    for page in page_results("words_stand_out") {
        assert_eq!(page.list("faint"), [] as [Value; 0], "{}", page.named());
    }
}

#[test]
fn every_chart_has_its_figures_in_words() {
    for page in page_results("every_chart_has_its_figures_in_words") {
        assert!(page.found["charts"].as_u64() > Some(0), "{}", page.named());
        assert_eq!(page.list("silent"), [] as [Value; 0], "{}", page.named());
    }
}

#[test]
fn a_page_begins_with_a_verdict_and_its_figures() {
    for page in page_results("a_page_begins_with_a_verdict_and_its_figures") {
        let first = page.found["first"].as_str().unwrap_or_default();
        assert!(first.contains(|letter: char| letter.is_ascii_digit()), "{}: {first}", page.named());
    }
}

/// Checked on the first screen, at every width.
#[test]
fn a_pgo_page_begins_with_verdict_savings_and_advice() {
    let test = "a_pgo_page_begins_with_verdict_savings_and_advice";
    for page in page_results(test).iter().filter(|page| page.page == "pix.html") {
        let first = page.found["first"].as_str().unwrap_or_default();
        for phrase in ["The run is stable", "machine time", "The run may be compared with other runs"] {
            assert!(first.contains(phrase), "{}: {first}", page.named());
        }
    }
}

#[test]
fn a_page_has_its_provenance() {
    for page in page_results("a_page_has_its_provenance") {
        let text = page.found["text"].as_str().unwrap_or_default();
        let origin = [concat!("taut ", env!("CARGO_PKG_VERSION")), "taut analyze", "--format html", "Glossary"];
        origin.iter().for_each(|part| assert!(text.contains(part), "{}: {part}", page.named()));
        assert_eq!(text.contains("1 of 2 limits broken."), page.page == "level.html", "{}", page.named());
    }
}

#[test]
fn a_name_from_a_trace_stays_a_name() {
    for page in page_results("a_name_from_a_trace_stays_a_name").iter().filter(|page| page.page == "names.html") {
        assert_eq!(page.found["bold"], 0, "{}", page.named());
        assert!(page.found["text"].as_str().unwrap_or_default().contains("<b>a_name"), "{}", page.named());
    }
}

#[test]
fn heap_maps_work_by_keyboard() {
    for page in page_results("heap_maps_work_by_keyboard") {
        let keys = &page.found["keyboard"];
        if ["level.html", "tight.html"].contains(&page.page.as_str()) {
            assert!(keys.is_object(), "{}", page.named());
        }
        if keys.is_null() {
            continue;
        }
        let case = format!("{}: {keys}", page.named());
        let text = |key: &str| keys[key].as_str().unwrap_or_default();
        assert_eq!(
            (&keys["marked"], &keys["hidden"], &keys["space"]),
            (&true.into(), &true.into(), &true.into()),
            "{case}"
        );
        assert_ne!(text("ring"), "none", "{case}");
        assert!(!text("first").is_empty() && text("first") != text("second"), "{case}");
        assert_eq!((text("again"), text("tip")), (text("first"), text("first")), "{case}");
        assert_eq!(keys["below"], 1, "{case}");
    }
}

#[test]
fn areas_of_owners_fill_their_map_open_and_close_by_keyboard() {
    for page in page_results("areas_of_owners_fill_their_map_open_and_close_by_keyboard") {
        let areas = &page.found["areas"];
        if ["level.html", "tight.html", "dump.html"].contains(&page.page.as_str()) {
            assert!(areas.is_object(), "{}", page.named());
        }
        if areas.is_null() {
            continue;
        }
        let case = format!("{}: {areas}", page.named());
        let covered = areas["covered"].as_f64().expect("a share");
        assert!((0.98..=1.02).contains(&covered), "{case}");
        let text = |key: &str| areas[key].as_str().unwrap_or_default();
        assert!(text("before").starts_with("all: "), "{case}");
        if areas["name"].is_string() {
            let name = text("inside").split(": ").next().unwrap_or_default();
            assert!(!name.is_empty() && text("name").starts_with(name), "{case}");
            assert_eq!(text("after"), text("before"), "{case}");
        }
    }
}

#[test]
fn axes_have_units_and_counts_are_whole_numbers() {
    for page in page_results("axes_have_units_and_counts_are_whole_numbers") {
        for (label, ticks) in page.found["ticks"].as_object().expect("axes") {
            let is_count = |counted: &&str| label.starts_with(*counted) && !label.contains('(');
            let counted = ["frame", "line of", "calls that"].iter().any(is_count);
            // The rows of the timeline have names instead.
            assert!(counted || label.is_empty() || label.contains('('), "{}: {label}", page.named());
            if counted || label.contains("(number)") {
                let whole = |tick: &Value| tick.as_f64().is_some_and(|tick| tick.fract() == 0.0);
                assert!(ticks.as_array().expect("ticks").iter().all(whole), "{}: {label}: {ticks}", page.named());
            }
        }
    }
}

#[test]
fn a_click_into_a_chart_copies_the_command_that_lists_its_events() {
    for page in page_results("a_click_into_a_chart_copies_the_command_that_lists_its_events") {
        if !["level.html", "pix.html", "handles.html"].contains(&page.page.as_str()) {
            continue;
        }
        let copied = page.found["copied"].as_str().unwrap_or_default();
        let (before, stamp) = copied.rsplit_once(" --around ").unwrap_or_default();
        assert!(
            before.starts_with("taut dump ") && before.ends_with(".taut") && stamp.parse::<u64>().is_ok(),
            "{}: {copied}",
            page.named()
        );
    }
}

#[test]
fn paths_cache_lines_and_tiles_are_drawn_on_the_pages_of_their_reports() {
    for page in page_results("paths_cache_lines_and_tiles_are_drawn_on_the_pages_of_their_reports") {
        let found = |kind: &str| page.found["pictures"][kind].as_u64().unwrap_or_default();
        let expected = match page.page.as_str() {
            "presents.html" => (".paths", 2),
            "handles.html" => (".grid", 1),
            // The recorded order and the best one; the second trace has the best one.
            "tiling.html" => (".tiles svg", 3),
            _ => continue,
        };
        assert_eq!(found(expected.0), expected.1, "{}", page.named());
        assert!(page.found["contents"].as_u64() > Some(1), "{}", page.named());
    }
}
