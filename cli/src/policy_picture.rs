//! A picture of what policies come to: a bar for each policy, heap size and trace, all on one scale.

use std::fmt::Write;
use taut_analyze::render::binary_bytes;

/// A trace's bars.
pub struct Bars {
    /// The trace's name.
    pub name: String,
    /// What its own heaps hold at most.
    pub recorded_bytes: u64,
    /// Names of policies with their heaps' sizes, what resources take of their memory, and all of it.
    pub policies: Vec<(String, u64, u64)>,
}

const WIDTH: u64 = 960;
const NAMES: u64 = 260;
const NUMBERS: u64 = 110;
const ROW: u64 = 22;

/// The picture, as SVG; in the colours of whoever looks at it, light or dark.
pub fn picture(traces: &[Bars]) -> String {
    let rows: u64 = traces.iter().map(|bars| bars.policies.len() as u64 + 3).sum();
    let height = rows * ROW + ROW;
    let memory = |bars: &Bars| bars.policies.iter().map(|(.., bytes)| *bytes).chain([bars.recorded_bytes]).max();
    let most = traces.iter().filter_map(memory).max().unwrap_or_default().max(1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\" role=\"img\" aria-label=\"Memory of policies, by trace\">\n<style>\n\
         svg {{ background: #ffffff; }} text {{ fill: #1c2128; }} .all {{ fill: #b5760c; }} .taken {{ fill: #1e8449; }} \
         .own {{ fill: #57606c; }}\n@media (prefers-color-scheme: dark) {{ svg {{ background: #0f1318; }} text {{ fill: \
         #e4e8ee; }} .all {{ fill: #e8b35d; }} .taken {{ fill: #58c98a; }} .own {{ fill: #9aa6b4; }} }}\n</style>\n"
    );
    let mut y = ROW;
    for bars in traces {
        text(&mut svg, (8, y), &bars.name, " font-weight=\"bold\"");
        y += ROW;
        row(&mut svg, y, most, ("as recorded", &[("own", bars.recorded_bytes)], bars.recorded_bytes));
        y += ROW;
        for (name, taken_bytes, bytes) in &bars.policies {
            row(&mut svg, y, most, (name, &[("all", *bytes), ("taken", *taken_bytes)], *bytes));
            y += ROW;
        }
        y += ROW;
    }
    text(&mut svg, (8, y - ROW / 2), "green: what resources take; amber: all that heaps hold", "");
    svg + "</svg>\n"
}

fn row(svg: &mut String, y: u64, most: u64, (name, bars, bytes): (&str, &[(&str, u64)], u64)) {
    text(svg, (16, y), name, "");
    let room = WIDTH - NAMES - NUMBERS;
    let wide = |bytes: u64| bytes as f64 / most as f64 * room as f64;
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
            policies: vec![("tlsf 8.00 MiB".to_owned(), bytes / 2, bytes)],
        };
        let svg = picture(&[bars("<one>", 1 << 20), bars("two", 1 << 21)]);
        assert_eq!(svg.matches("<rect").count(), 6);
        assert!(svg.contains("&lt;one&gt;") && !svg.contains("<one>"));
        assert_eq!(svg.matches("width=\"590.0\"").count(), 2, "{svg}");
        assert_eq!(svg.matches("width=\"295.0\"").count(), 3, "{svg}");
    }
}
