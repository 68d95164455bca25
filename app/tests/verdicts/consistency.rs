//! Comparison of a report's verdict with the report's own tables: every figure of the verdict is computed again from
//! the rows of the report in JSON, and every figure that a sentence names is read back from its text.

use serde_json::Value;

/// Check of one report, which adds what it finds.
type Check = fn(&Value, &mut Contradictions);

/// Contradictions between the verdicts of the reports and their tables, one line each.
pub fn contradictions(reports: &Value) -> Vec<String> {
    let mut found = Contradictions::default();
    let checks: [(&str, Check); 6] = [
        ("alignment", alignment),
        ("pgo", pgo),
        ("tiling", tiling),
        ("handles", handles),
        ("present", present),
        ("health", health),
    ];
    for (name, check) in checks {
        let report = &reports[name];
        if report["verdict"].is_object() {
            found.report = name;
            check(report, &mut found);
        }
    }
    found.lines
}

#[derive(Default)]
struct Contradictions {
    report: &'static str,
    lines: Vec<String>,
}

impl Contradictions {
    /// Compares a figure of the verdict with the value that the table has.
    fn figure(&mut self, report: &Value, number: usize, expected: Option<f64>) {
        let figure = &report["verdict"]["figures"][number];
        let found = figure["value"].as_f64();
        let is_same = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() <= 1e-9 * expected.abs().max(1.0),
            (found, expected) => found == expected,
        };
        if !is_same {
            self.lines.push(format!("{}: {}: {found:?}, in the table {expected:?}", self.report, figure["name"]));
        }
    }

    /// Checks that the text of the verdict contains a text.
    fn text(&mut self, report: &Value, part: &str) {
        let verdict = &report["verdict"];
        let text = format!("{} {}", string(&verdict["sentence"]), string(&verdict["advice"]));
        if !text.contains(part) {
            self.lines.push(format!("{}: expected {part:?} in {text:?}", self.report));
        }
    }
}

fn string(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Sum of a figure over the rows of a table.
fn sum(table: &Value, key: &str) -> f64 {
    rows(table).iter().map(|row| row[key].as_f64().unwrap_or_default()).sum()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_default()
}

/// Formats bytes as people read them, independently of the reports: three digits and a binary unit.
fn bytes(value: f64) -> String {
    if value < 1024.0 {
        return format!("{value} B");
    }
    let (mut scaled, mut unit) = (value / 1024.0, 0);
    while scaled >= 1023.5 && unit < 5 {
        (scaled, unit) = (scaled / 1024.0, unit + 1);
    }
    let unit = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][unit];
    if scaled < 9.995 {
        format!("{scaled:.2} {unit}")
    } else if scaled < 99.95 {
        format!("{scaled:.1} {unit}")
    } else {
        format!("{scaled:.0} {unit}")
    }
}

/// Formats a count with a comma before every third digit.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn alignment(report: &Value, found: &mut Contradictions) {
    let (peak, causes) = (&report["peak"], &report["causes"]);
    let is_empty = number(&peak["in_use_bytes"]) == 0.0;
    let at = if is_empty { &report["peak_real"] } else { peak };
    let heaps = number(&at["heap_bytes"]);
    let allocated = heaps + number(&at["committed_bytes"]) + number(&at["granularity_bytes"]);
    found.figure(report, 0, Some(allocated));
    found.text(report, &format!("{} allocated", bytes(allocated)));
    let (buffers, textures) = (&at["buffers"], &at["textures"]);
    found.figure(report, 1, Some(number(&buffers["requested_bytes"]) + number(&textures["requested_bytes"])));
    // Heaps without a resource are wasted as a whole; else every wasted byte has one cause.
    let wasted = if is_empty { heaps } else { sum(causes, "waste_bytes") };
    found.figure(report, 2, Some(wasted));
    if !is_empty && wasted > 0.0 {
        found.text(report, &format!("{} wasted", bytes(wasted)));
    }
    // The change that reclaims most comes first; if none reclaims memory, the one that saves most inside heaps.
    let first_change = |cause: &Value| {
        let change = &cause["changes"][0];
        (number(&change["reclaimed_bytes"]), number(&change["saving_bytes"]))
    };
    let best =
        rows(causes).iter().map(first_change).fold((0.0, 0.0), |best, other| if other > best { other } else { best });
    match rows(causes).iter().position(|cause| best.1 > 0.0 && first_change(cause) == best) {
        Some(row) => {
            found.text(report, &format!("Fix first: {} ", grouped(number(&causes[row]["count"]))));
            found.text(report, &format!("saves {}", bytes(joined_saving(&rows(causes)[row..]))));
            if row > 0 {
                found.lines.push(format!("alignment: causes: the change to make first is in row {row}"));
            }
        }
        None if rows(causes).iter().any(|cause| number(&cause["waste_bytes"]) > 0.0) => {
            let waste = rows(causes).iter().map(|cause| number(&cause["waste_bytes"])).fold(0.0, f64::max);
            found.text(report, &format!("{}; no known change", bytes(waste)));
        }
        None => {}
    }
}

/// Saving of the first row's change, made for each following row that recommends the same change and, as the first row,
/// reclaims all of its saving or nothing.
fn joined_saving(causes: &[Value]) -> f64 {
    let kind = |cause: &Value| {
        let change = &cause["changes"][0];
        let (saving, reclaimed) = (number(&change["saving_bytes"]), number(&change["reclaimed_bytes"]));
        (string(&change["change"]).to_owned(), reclaimed == saving, reclaimed == 0.0)
    };
    let (_, reclaims_all, reclaims_nothing) = kind(&causes[0]);
    let advised = causes.iter().filter(|cause| !cause["changes"][0].is_null());
    let joined: Vec<&Value> = advised.take_while(|cause| kind(cause) == kind(&causes[0])).collect();
    if joined.len() < 2 || !(reclaims_all || reclaims_nothing) {
        return number(&causes[0]["changes"][0]["saving_bytes"]);
    }
    joined.iter().map(|cause| number(&cause["cumulative_saving_bytes"])).sum()
}

fn pgo(report: &Value, found: &mut Contradictions) {
    let passes = &report["by_pass"];
    found.figure(report, 0, Some(sum(passes, "presents")));
    found.figure(report, 1, Some(sum(passes, "tasks_finished")));
    let (executed, generic) = (sum(passes, "executed"), sum(passes, "generic_executed"));
    if report["unfit"].is_null() {
        let measured = &report["measured"];
        found.figure(report, 2, measured["saving_ratio"].as_f64());
        found.text(report, &format!("{} frame", grouped(number(&measured["frames_same_work"]))));
    } else if sum(passes, "draws") > 0.0 {
        found.figure(report, 2, (generic > 0.0).then(|| (generic - executed) / generic));
    }
    let states = rows(&report["pipelines"]);
    let requesting = states.iter().filter(|state| state["requests_measurements"] == true).count();
    if report["unfit"]["cause"] == "desires_more" {
        let answer = rows(passes).iter().rev().find(|pass| !pass["further_desired"].is_null());
        let pass = answer.map_or(Value::Null, |pass| pass["pass"].clone());
        found.text(report, &format!("still requests measurements after pass {pass}"));
        if requesting > 0 {
            found.text(report, &format!("{requesting} of {} pipeline state", states.len()));
        }
        if !report["expected_pass"].is_null() {
            found.text(report, "bFurtherMeasurementsDesired");
        }
    }
    let failed = rows(&report["audits"]).iter().filter(|audit| audit["ok"] == false && audit["lint"] == false).count();
    if failed != report["audits_failed"].as_u64().unwrap_or_default() as usize {
        found.lines.push(format!("pgo: audits_failed: {}, in the table {failed}", report["audits_failed"]));
    }
}

fn tiling(report: &Value, found: &mut Contradictions) {
    let surfaces = &report["surfaces"];
    let (transactions, ideal) = (sum(surfaces, "transactions"), sum(surfaces, "ideal_transactions"));
    found.figure(report, 0, Some(sum(surfaces, "bytes")));
    found.figure(report, 1, Some(transactions));
    found.figure(report, 2, (ideal > 0.0).then(|| transactions / ideal));
}

fn handles(report: &Value, found: &mut Contradictions) {
    let peak = &report["peak"];
    let by_type = sum(&peak["by_type"], "immediate_bytes") + sum(&peak["by_type"], "deferred_bytes");
    found.figure(report, 0, Some(by_type));
    found.figure(report, 0, Some(sum(&peak["by_context"], "bytes")));
    let deferred = rows(&report["contexts"]).iter().filter(|context| context["kind"] == "deferred");
    let opened: f64 = deferred.map(|context| sum(&context["by_type"], "object_bytes")).sum();
    let one = number(&report["cost"]["one_context_bytes"]);
    found.figure(report, 1, Some((opened - one).max(0.0)));
    let shared: Vec<&Value> =
        rows(&report["contended"]).iter().filter(|line| line["written_by_several"] == true).collect();
    let Some(lines) = report["shared_lines"].as_u64() else {
        found.figure(report, 2, None);
        found.text(report, "taut replay FILE --setting handle_accesses=true -o NEW");
        return;
    };
    // The table has the lines that moved most, 20 at most.
    let is_whole = rows(&report["contended"]).len() < 20;
    let moved = shared.len() as u64;
    if moved > lines || is_whole && moved == 0 && lines > 0 {
        found.lines.push(format!("handles: shared_lines: {lines}, in the table {moved}"));
    }
    found.figure(report, 2, Some(lines as f64));
    // The sentence is about the line that moved most, the first of the table.
    if let Some(worst) = shared.first() {
        let count = grouped(lines as f64);
        found.text(report, &format!("sharing: {count} cache line"));
        let writes = worst["total_writes"].as_u64().unwrap_or_default();
        found.text(report, &format!("{} write", grouped(writes as f64)));
        match shared.first().is_some_and(|line| line["sharing"] == "true") {
            true => found.text(report, "Give each context its own copy"),
            false => found.text(report, &format!("pad per-context data to {} B", report["cache_line_bytes"])),
        }
    }
}

fn present(report: &Value, found: &mut Contradictions) {
    let chains = &report["swap_chains"];
    let frames = sum(chains, "frames");
    found.figure(report, 0, Some(frames));
    found.figure(report, 1, Some(sum(chains, "bytes_copied")));
    found.figure(report, 2, (frames > 0.0).then(|| sum(chains, "dropped") / frames));
}

fn health(report: &Value, found: &mut Contradictions) {
    found.figure(report, 0, Some(number(&report["lost_events"]) + number(&report["damaged_events"])));
    // The table also has advice, which is no broken rule.
    let rules = rows(&report["violations"]).iter().filter(|row| row["lint"] == false);
    found.figure(report, 1, Some(rules.map(|row| number(&row["count"])).sum()));
    let leaks = &report["leaks"];
    let left = leaks.is_object().then(|| number(&leaks["heaps"]) + number(&leaks["resources"]));
    found.figure(report, 2, left);
}

#[test]
fn a_wrong_figure_and_a_wrong_sentence_are_found() {
    let report = serde_json::json!({"tiling": {
        "verdict": {"sentence": "x.", "figures": [{"value": 7}, {"value": 4}, {"value": 2.0}]},
        "surfaces": [{"bytes": 3, "transactions": 4, "ideal_transactions": 2}, {"bytes": 5}],
    }});
    assert_eq!(contradictions(&report), ["tiling: null: Some(7.0), in the table Some(8.0)"]);
    assert_eq!([0.0, 1023.0, 581_959_680.0].map(bytes), ["0 B", "1023 B", "555 MiB"]);
    assert_eq!([7.0, 6292.0, 1e6].map(grouped), ["7", "6,292", "1,000,000"]);
}
