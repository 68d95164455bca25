//! Contents of the HTML page, without a browser.

use crate::golden::trace;
use serde_json::Value;
use taut_analyze::glossary::GLOSSARY;
use taut_analyze::page::{PageContext, page};
use taut_analyze::{Analysis, Findings, REPORTS};

fn analysis() -> Analysis {
    Analysis::new(trace()).unwrap()
}

fn page_of(names: &[&str], context: &PageContext) -> String {
    let analysis = analysis();
    let findings = Findings::of(&analysis, REPORTS).unwrap();
    let traces: Vec<_> = names.iter().map(|name| ((*name).to_owned(), &analysis, &findings)).collect();
    page(&traces, context).unwrap()
}

/// The data in a page.
pub fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn context() -> PageContext {
    PageContext {
        version: "9.9.9".to_owned(),
        command: "taut analyze '<b>.taut'".to_owned(),
        created_at: Some("2001-09-09 01:46:40 UTC".to_owned()),
        ..Default::default()
    }
}

#[test]
fn a_page_is_one_file_that_fetches_nothing() {
    let page = page_of(&["a </script> b"], &context());
    assert!(!page.contains("{{") && page.contains("uPlot"));
    for fetched in ["src=", "<link rel=\"stylesheet\"", "@import", "fetch(", "XMLHttpRequest", "url(", "innerHTML"] {
        assert!(!page.contains(fetched), "{fetched}");
    }
    let data = data(&page);
    assert_eq!(data["traces"][0]["name"], "a </script> b");
    let alignment = &data["traces"][0]["reports"][0];
    assert_eq!(alignment["report"], "alignment");
    assert_eq!(alignment["page_data"]["maps"]["maps"][0]["sizes"].as_array().unwrap().len(), 5);
}

#[test]
fn every_script_file_is_in_the_page_once() {
    let page = page_of(&["one"], &context());
    let scripts = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/page/assets")).unwrap();
    let scripts = scripts.map(|entry| entry.unwrap().path()).filter(|path| path.extension() == Some("js".as_ref()));
    for script in scripts {
        let text = std::fs::read_to_string(&script).unwrap();
        assert_eq!(page.matches(&text).count(), 1, "{}", script.display());
    }
}

#[test]
fn a_report_with_scripts_is_drawn_by_them_and_one_without_gives_them_nothing() {
    let analysis = analysis();
    for report in REPORTS {
        let entry = format!("REPORTS.{} = {{", report.name());
        let drawing = report.scripts().iter().filter(|script| script.contains(&entry)).count();
        assert_eq!(drawing, usize::from(!report.scripts().is_empty()), "{}: {entry}", report.name());
        let figures = report.run(&analysis).unwrap().json;
        let page_data = report.page_data(&analysis, &figures).unwrap();
        assert_eq!(page_data.is_null(), report.scripts().is_empty(), "{}", report.name());
    }
}

#[test]
fn a_page_names_its_program_time_and_command() {
    let data = data(&page_of(&["one"], &context()));
    let page_context = &data["context"];
    assert_eq!(page_context["version"], "9.9.9");
    assert_eq!(page_context["command"], "taut analyze '<b>.taut'");
    assert_eq!(page_context["created_at"], "2001-09-09 01:46:40 UTC");
}

#[test]
fn a_page_holds_the_glossary() {
    let data = data(&page_of(&["one"], &context()));
    let words: Vec<&str> = data["glossary"].as_array().unwrap().iter().filter_map(|one| one["word"].as_str()).collect();
    assert_eq!(words, GLOSSARY.iter().map(|entry| entry.word).collect::<Vec<_>>());
}

#[test]
fn each_report_s_verdict_has_its_three_figures() {
    let data = data(&page_of(&["one"], &context()));
    for report in data["traces"][0]["reports"].as_array().unwrap() {
        let (verdict, name) = (&report["verdict"], &report["report"]);
        if verdict.is_null() {
            assert!(report["document"]["title"].as_str().unwrap().contains("nothing to report"), "{name}");
            continue;
        }
        assert!(verdict["sentence"].as_str().unwrap().ends_with('.'), "{name}: {verdict}");
        assert_eq!(verdict["figures"].as_array().unwrap().len(), 3, "{name}: {verdict}");
    }
}

#[test]
fn the_same_traces_and_the_same_context_make_the_same_page() {
    assert_eq!(page_of(&["one", "two"], &context()), page_of(&["one", "two"], &context()));
}

#[test]
fn a_page_of_two_traces_has_a_comparison_and_of_one_has_none() {
    assert_eq!(data(&page_of(&["one"], &context()))["compared"], Value::Null);
    let compared = &data(&page_of(&["one", "two"], &context()))["compared"];
    let headings = compared["tables"][0]["headings"].as_array().unwrap();
    let titles: Vec<&str> = headings.iter().filter_map(|heading| heading["title"].as_str()).collect();
    assert!(titles.contains(&"one") && titles.contains(&"two"), "{titles:?}");
}

/// The colours of a theme: `--name: #rrggbb`.
fn colours(style: &str, theme: &str) -> Vec<(String, [f64; 3])> {
    let (_, rest) = style.split_once(theme).unwrap();
    let block = rest.split_once('}').unwrap().0;
    let colour = |text: &str| [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&text[at..at + 2], 16).unwrap()) / 255.0);
    let pairs = block.split(';').filter_map(|one| one.trim().strip_prefix("--")?.split_once(": "));
    pairs.map(|(name, value)| (name.to_owned(), colour(value))).collect()
}

/// Contrast ratio as defined by WCAG 2.
fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let linear =
        |channel: f64| if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) };
    let luminance = |[r, g, b]: [f64; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_contrast_is_min_4_5_and_graphics_contrast_min_3_in_both_themes() {
    let style = include_str!("../../src/page/assets/page.css");
    for theme in [":root {", ":root[data-theme=\"dark\"] {"] {
        let colours = colours(style, theme);
        let of = |name: &str| colours.iter().find(|(known, _)| known == name).unwrap().1;
        for back in ["back", "panel"] {
            for words in ["text", "soft", "accent"] {
                let ratio = contrast(of(words), of(back));
                assert!(ratio >= 4.5, "{theme} {words} on {back}: {ratio:.2}");
            }
            for (page_data, colour) in &colours {
                if page_data.starts_with("pass-") {
                    let ratio = contrast(of("text"), *colour);
                    assert!(ratio >= 4.5, "{theme} text on {page_data}: {ratio:.2}");
                    continue;
                }
                if ["back", "panel", "line", "tail"].contains(&page_data.as_str()) {
                    continue;
                }
                let ratio = contrast(*colour, of(back));
                assert!(ratio >= 3.0, "{theme} {page_data} on {back}: {ratio:.2}");
            }
        }
    }
}

#[test]
fn the_contents_of_a_page_come_before_its_reports() {
    let page = page_of(&["one"], &context());
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(at("<nav id=\"contents\"") < at("<main id=\"main\""));
}

#[test]
fn points_of_charts_have_the_stamps_of_their_events() {
    let data = data(&page_of(&["one"], &context()));
    let reports = data["traces"][0]["reports"].as_array().unwrap();
    let of = |name: &str| &reports.iter().find(|report| report["report"] == name).unwrap()["page_data"];
    let memory = &of("alignment")["memory"];
    let stamps = memory["stamps"].as_array().unwrap();
    assert_eq!(stamps.len(), memory["at"].as_array().unwrap().len());
    assert!(stamps.iter().all(|stamp| stamp.as_str().is_some_and(|text| text.parse::<u64>().is_ok())));
    // The peak is the first point with the largest sum.
    let sums: Vec<u64> = memory["in_use_bytes"].as_array().unwrap().iter().map(|sum| sum.as_u64().unwrap()).collect();
    let peak = memory["peak"].as_u64().unwrap() as usize;
    assert_eq!(sums.iter().position(|sum| Some(sum) == sums.iter().max()), Some(peak));
    let curve = &of("pgo")["curve"];
    assert_eq!(curve["stamps"].as_array().unwrap().len(), curve["frame"].as_array().unwrap().len());
}
