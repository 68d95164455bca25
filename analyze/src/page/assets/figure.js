// Figures: a chart, its text alternative for screen readers, and its values as a table.

// `headings` and `rows` are those of the table; `controls` is above the picture, `below` is below the picture.
function chartFigure({ title, summary, picture, headings, rows, controls, below }) {
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${title}. ${summary}`);
  const figures = el("details", { class: "figures" }, el("summary", {}, "Figures of this chart"), sortableTable(headings, rows));
  return el("figure", { class: "panel chart" }, el("figcaption", {}, title), controls, picture, below, figures);
}

// Headings of a table of values: the first column has text, the others have numbers.
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

// Container of a plot. A change of theme rebuilds the plot, because a canvas does not follow CSS variables.
// A change of width resizes the plot.
function plotContainer(make, height) {
  const box = el("div", { class: "plot", style: `min-height: ${height}px` });
  const container = { plot: null, place: box, draw() {
    if (container.plot) container.plot.destroy();
    container.plot = make(box, Math.max(box.clientWidth, 200));
  } };
  theme.listeners.push(() => { if (container.plot) container.draw(); });
  onWidth(box, (width) => {
    if (container.plot) container.plot.setSize({ width, height }); else container.draw();
  });
  return container;
}
