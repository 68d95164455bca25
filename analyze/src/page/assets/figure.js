// A chart with what it shows in words: a name for those who cannot see it, and its figures as a table.

// headings and rows are the table's; `controls` and `below` stand above and below the picture.
function chartFigure({ title, summary, picture, headings, rows, controls, below }) {
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${title}. ${summary}`);
  const figures = el("details", { class: "figures" }, el("summary", {}, "Figures of this chart"), sortableTable(headings, rows));
  return el("figure", { class: "panel chart" }, el("figcaption", {}, title), controls, picture, below, figures);
}

// A table of the chart's columns: the first has words, the others numbers.
function figureHeadings(...titles) {
  return titles.map((title, column) => ({ title, align: column ? "right" : "left" }));
}

function legend(lines, toggle) {
  return el("div", { class: "legend" }, ...lines.map((line, index) => {
    const swatch = el("i", { class: line.dash ? "dash" : "", style: `--swatch: var(--${line.color})` });
    if (!toggle) return el("span", {}, swatch, line.label);
    const button = el("button", { type: "button", "aria-pressed": String(!line.off), onclick: () => {
      const pressed = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(pressed));
      toggle(index, pressed);
    } }, swatch, line.label);
    return button;
  }));
}

// What a time line draws on: made anew when the theme changes, resized with the page.
function plotPlace(make, height) {
  const place = el("div", { class: "plot", style: `min-height: ${height}px` });
  const drawn = { plot: null, place, draw() {
    if (drawn.plot) drawn.plot.destroy();
    drawn.plot = make(place, Math.max(place.clientWidth, 200));
  } };
  theme.listeners.push(() => { if (drawn.plot) drawn.draw(); });
  onWidth(place, (width) => {
    if (drawn.plot) drawn.plot.setSize({ width, height }); else drawn.draw();
  });
  return drawn;
}
