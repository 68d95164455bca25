// Bar charts: stacked bars on one scale.

// rows: [{ name, parts: [{ color, value, label, text }], text }]; keys: entries of the legend; text: formats a value.
function barChart({ title, rows, keys, text = bytes }) {
  const length = (row) => row.parts.reduce((sum, part) => sum + Math.max(0, part.value), 0);
  const max = Math.max(1, ...rows.map(length));
  const bars = el("div", { class: "bars" });
  for (const row of rows) {
    const parts = row.parts.filter((part) => part.value > 0).map((part) => {
      const segment = el("i", { style: `width: ${100 * part.value / max}%; background: var(--${part.color})` });
      tip.on(segment, () => `${row.name}\n${part.label}: ${part.text ?? text(part.value)}`);
      return segment;
    });
    bars.append(el("span", { class: "name" }, row.name), el("div", { class: "bar" }, ...parts), el("span", { class: "soft" }, row.text));
  }
  const labels = [...new Set(rows.flatMap((row) => row.parts.map((part) => part.label)))];
  const cell = (row, label) => {
    const part = row.parts.find((one) => one.label === label);
    return part ? part.text ?? text(part.value) : "–";
  };
  return chartFigure({
    title, picture: bars, controls: keys ? legend(keys) : null,
    summary: rows.map((row) => `${row.name}: ${row.text}`).join("; ") + ".",
    headings: figureHeadings("", ...labels),
    rows: rows.map((row) => [row.name, ...labels.map((label) => cell(row, label))]),
  });
}
