//! A picture of what values of a key come to: a line for each figure, all of them shares.

use std::fmt::Write;

/// A figure by value.
pub struct Line {
    /// What it is.
    pub name: &'static str,
    /// Its class in the picture, which decides its colour.
    pub class: &'static str,
    /// By value; none where there is none.
    pub shares: Vec<Option<f64>>,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 130.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 64.0;

/// Labels at the lines' ends are at least so far from each other.
const LABEL: f64 = 16.0;

/// The picture, as SVG; in the colours of whoever looks at it, light or dark. Values stand side by side, whatever lies between
/// them; those with which the run is fit to measure have full points.
pub fn picture(key: &str, values: &[(u64, bool)], lines: &[Line]) -> String {
    let x = |at: usize| LEFT + (WIDTH - LEFT - RIGHT) * (at as f64 + 0.5) / values.len().max(1) as f64;
    let y = |share: f64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share.clamp(0.0, 1.0));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\" \
         role=\"img\" aria-label=\"Background processing by {key}\">\n<style>\n\
         svg {{ background: #ffffff; }} text {{ fill: #1c2128; }} .grid {{ stroke: #d5dae0; }} polyline {{ fill: none; stroke-width: \
         2; }} circle {{ stroke-width: 2; fill: #ffffff; }} .saved {{ stroke: #1e8449; }} .served {{ stroke: #2866b1; }} .wasted {{ \
         stroke: #b03a2e; }} .beside {{ stroke: #b5760c; }} circle.fit.saved {{ fill: #1e8449; }} circle.fit.served {{ fill: #2866b1; \
         }} circle.fit.wasted {{ fill: #b03a2e; }} circle.fit.beside {{ fill: #b5760c; }}\n@media (prefers-color-scheme: dark) {{ svg \
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
        writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\">{key}; full points: fit to measure</text>", HEIGHT - BOTTOM + 48.0);
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
    // Lines that end at the same place have their labels one below the other.
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
        let svg = picture("n_min", &[(50, false), (400, true)], &lines);
        assert_eq!((svg.matches("<circle").count(), svg.matches("class=\"fit ").count()), (3, 2));
        // 100 % at the top, 50 % in the middle between it and the bottom.
        assert!(svg.contains("cy=\"24.0\"") && svg.contains("cy=\"190.0\""), "{svg}");
        assert!(svg.contains("y=\"28.0\">one") && svg.contains("y=\"44.0\">two"), "{svg}");
    }
}
