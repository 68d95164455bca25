//! SVG chart of placement policies: a bar for each policy, heap size and trace, all on one scale.

use std::fmt::Write;
use taut_analyze::render::binary_bytes;

/// Bars of one trace.
pub struct Bars {
    pub name: String,
    /// Peak memory of the recorded heaps, in bytes.
    pub recorded_bytes: u64,
    pub policies: Vec<PolicyBar>,
}

/// Bar of a policy.
pub struct PolicyBar {
    /// Name of the policy with its heap size.
    pub name: String,
    /// Bytes allocated by resources.
    pub allocated_bytes: u64,
    /// Bytes of all heaps.
    pub heap_bytes: u64,
}

/// A row of the chart.
struct Row<'a> {
    name: &'a str,
    /// CSS class and length in bytes of each bar, the longest first.
    bars: &'a [(&'a str, u64)],
    /// Number at the end of the row.
    bytes: u64,
}

/// Width of the chart, in SVG units.
const WIDTH: u64 = 960;
/// Width of the column of names.
const NAMES: u64 = 260;
/// Width reserved at the right for the number after the longest bar.
const NUMBERS: u64 = 110;
/// Height of a row.
const ROW: u64 = 22;

/// Draws the chart as SVG, in light or dark colours as the viewer prefers.
pub fn chart(traces: &[Bars]) -> String {
    let rows: u64 = traces.iter().map(|bars| bars.policies.len() as u64 + 3).sum();
    let height = rows * ROW + ROW;
    let memory = |bars: &Bars| bars.policies.iter().map(|policy| policy.heap_bytes).chain([bars.recorded_bytes]).max();
    let max_bytes = traces.iter().filter_map(memory).max().unwrap_or_default().max(1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\" role=\"img\" aria-label=\"Memory by placement policy, for each trace\">\n<style>\n\
         svg {{ background: #ffffff; }} text {{ fill: #1c2128; }} .all {{ fill: #b5760c; }} .allocated {{ fill: #1e8449; }} \
         .own {{ fill: #57606c; }}\n@media (prefers-color-scheme: dark) {{ svg {{ background: #0f1318; }} text {{ fill: \
         #e4e8ee; }} .all {{ fill: #e8b35d; }} .allocated {{ fill: #58c98a; }} .own {{ fill: #9aa6b4; }} }}\n</style>\n"
    );
    let mut y = ROW;
    for bars in traces {
        text(&mut svg, (8, y), &bars.name, " font-weight=\"bold\"");
        y += ROW;
        let (name, bytes) = ("recorded heaps", bars.recorded_bytes);
        row(&mut svg, y, max_bytes, Row { name, bars: &[("own", bytes)], bytes });
        y += ROW;
        for PolicyBar { name, allocated_bytes, heap_bytes } in &bars.policies {
            let lengths = [("all", *heap_bytes), ("allocated", *allocated_bytes)];
            row(&mut svg, y, max_bytes, Row { name, bars: &lengths, bytes: *heap_bytes });
            y += ROW;
        }
        y += ROW;
    }
    text(&mut svg, (8, y - ROW / 2), "green: memory allocated by resources; amber: memory of all heaps", "");
    svg + "</svg>\n"
}

fn row(svg: &mut String, y: u64, max_bytes: u64, row: Row<'_>) {
    let Row { name, bars, bytes } = row;
    text(svg, (16, y), name, "");
    let room = WIDTH - NAMES - NUMBERS;
    let wide = |bytes: u64| bytes as f64 / max_bytes as f64 * room as f64;
    for (class, bytes) in bars {
        let _ = writeln!(
            svg,
            "<rect class=\"{class}\" x=\"{NAMES}\" y=\"{}\" width=\"{:.1}\" height=\"{}\"/>",
            y - 13,
            wide(*bytes),
            ROW - 6
        );
    }
    text(svg, (NAMES + wide(bytes) as u64 + 8, y), &binary_bytes(bytes), "");
}

fn text(svg: &mut String, (x, y): (u64, u64), words: &str, attributes: &str) {
    let escaped = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\"{attributes}>{escaped}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_its_bar_on_one_scale_and_names_stay_names() {
        let bars = |name: &str, bytes| Bars {
            name: name.to_owned(),
            recorded_bytes: bytes,
            policies: vec![PolicyBar {
                name: "tlsf 8.00 MiB".to_owned(),
                allocated_bytes: bytes / 2,
                heap_bytes: bytes,
            }],
        };
        let svg = chart(&[bars("<one>", 1 << 20), bars("two", 1 << 21)]);
        assert_eq!(svg.matches("<rect").count(), 6);
        assert!(svg.contains("&lt;one&gt;") && !svg.contains("<one>"));
        assert_eq!(svg.matches("width=\"590.0\"").count(), 2, "{svg}");
        assert_eq!(svg.matches("width=\"295.0\"").count(), 3, "{svg}");
    }
}
