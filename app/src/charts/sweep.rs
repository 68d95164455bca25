//! SVG chart of a sweep: a line for each figure over the values of the key; all figures are ratios.

use std::fmt::Write;

/// Line of one figure.
pub struct Line {
    pub name: &'static str,
    /// CSS class, which sets the colour.
    pub class: &'static str,
    /// Ratio for each value of the key; `None` if the report has none.
    pub shares: Vec<Option<f64>>,
}

/// Width of the chart, in SVG units.
const WIDTH: f64 = 960.0;
/// Height of the chart, in SVG units.
const HEIGHT: f64 = 420.0;
/// Margin at the left, for the labels of the axis.
const LEFT: f64 = 56.0;
/// Margin at the right, for the labels of the lines.
const RIGHT: f64 = 170.0;
const TOP: f64 = 24.0;
/// Margin at the bottom, for the values of the key and the caption.
const BOTTOM: f64 = 64.0;

/// Minimum vertical distance of the labels at the ends of lines.
const LABEL: f64 = 16.0;

/// Draws the chart as SVG, in light or dark colours as the viewer prefers. The values have equal distances on the axis.
/// Values with a stable run have filled points.
pub fn chart(key: &str, values: &[(u64, bool)], lines: &[Line]) -> String {
    let x = |at: usize| LEFT + (WIDTH - LEFT - RIGHT) * (at as f64 + 0.5) / values.len().max(1) as f64;
    let y = |share: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share.clamp(0.0, 1.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" \
         role=\"img\" aria-label=\"Background processing by {key}\">\n<style>\n\
         svg {{ background: #ffffff; }} text {{ fill: #1c2128; }} .grid {{ stroke: #d5dae0; }} polyline {{ fill: none; stroke-width: \
         2; }} circle {{ stroke-width: 2; fill: #ffffff; }} .saved {{ stroke: #1e8449; }} .served {{ stroke: #2866b1; }} .wasted {{ \
         stroke: #b03a2e; }} .concurrent {{ stroke: #b5760c; }} circle.fit.saved {{ fill: #1e8449; }} circle.fit.served {{ fill: #2866b1; \
         }} circle.fit.wasted {{ fill: #b03a2e; }} circle.fit.concurrent {{ fill: #b5760c; }}\n@media (prefers-color-scheme: dark) {{ svg \
         {{ background: #0f1318; }} text {{ fill: #e4e8ee; }} .grid {{ stroke: #2b323b; }} circle {{ fill: #0f1318; }} }}\n</style>\n"
    );
    for percent in [0, 25, 50, 75, 100] {
        let y = y(f64::from(percent) / 100.0);
        let end = WIDTH - RIGHT;
        let _ = writeln!(svg, "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{end}\" y2=\"{y:.1}\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{percent} %</text>", LEFT - 6.0, y + 4.0);
    }
    for (at, (value, _)) in values.iter().enumerate() {
        let below = HEIGHT - BOTTOM + 20.0;
        let _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{below}\" text-anchor=\"middle\">{value}</text>", x(at));
    }
    let _ =
        writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{key}; filled points: stable run</text>", HEIGHT - BOTTOM + 48.0);
    let mut labels = Vec::new();
    for Line { name, class, shares } in lines {
        let points: Vec<(usize, f64)> =
            shares.iter().enumerate().filter_map(|(at, share)| Some((at, (*share)?))).collect();
        let path: Vec<String> = points.iter().map(|(at, share)| format!("{:.1},{:.1}", x(*at), y(*share))).collect();
        let _ = writeln!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", path.join(" "));
        for (at, share) in &points {
            let fit = if values.get(*at).is_some_and(|(_, fit)| *fit) { "fit " } else { "" };
            let percent = share * 100.0;
            let _ = writeln!(
                svg,
                "<circle class=\"{fit}{class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\"><title>{name}: {percent:.1} %</title></circle>",
                x(*at),
                y(*share)
            );
        }
        labels.extend(points.last().map(|(_, share)| (y(*share), *name)));
    }
    // Labels of lines that end at the same height are moved apart.
    labels.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let mut free = 0.0_f64;
    for (y, name) in labels {
        let at = y.max(free);
        free = at + LABEL;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{:.1}\">{name}</text>", WIDTH - RIGHT + 10.0, at + 4.0);
    }
    svg + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_share_has_its_point_and_labels_do_not_cover_each_other() {
        let line = |name, shares: [Option<f64>; 2]| Line { name, class: "saved", shares: shares.to_vec() };
        let lines = [line("one", [Some(0.5), Some(1.0)]), line("two", [None, Some(1.0)])];
        let svg = chart("n_min", &[(50, false), (400, true)], &lines);
        assert_eq!((svg.matches("<circle").count(), svg.matches("class=\"fit ").count()), (3, 2));
        // 100 % at the top, 50 % in the middle between it and the bottom.
        assert!(svg.contains("cy=\"24.0\"") && svg.contains("cy=\"190.0\""), "{svg}");
        assert!(svg.contains("y=\"28.0\">one") && svg.contains("y=\"44.0\">two"), "{svg}");
    }
}
