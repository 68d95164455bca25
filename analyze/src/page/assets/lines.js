// Line charts (uPlot), on a linear or a log scale, of the whole axis or of a range.

// series: [{ label, color, values, dash, off }]; xs: the selectable horizontal axes; y: one of VALUES;
// describe(index): first line of the tooltip at a point; marks: [{ index, label, color }], vertical lines at points;
// command(index): the command that a click at a point copies.
function lineChart({ title, series, xs, y, describe, marks = [], command }) {
  const off = series.map((line) => Boolean(line.off));
  const state = { x: xs[0], log: flattened(series[0].values, xs[0].values), range: null };
  const stepped = uPlot.paths.stepped({ align: 1 });
  const floor = logFloor(series, y.base);
  const clampedToFloor = (values) => values.map((value) => value === null || value === undefined ? value : Math.max(value, floor));
  const ends = () => [state.x.values[0], state.x.values[state.x.values.length - 1]];

  function showReadout(chart) {
    const { idx, left, top } = chart.cursor;
    if (left < 0 || idx === null || idx === undefined) return tip.hide();
    const box = chart.over.getBoundingClientRect();
    const valueText = (value) => value === null || value === undefined ? "–" : y.text(value);
    const lines = series.filter((_, index) => !off[index]).map((line) => `${line.label}: ${valueText(line.values[idx])}`);
    return tip.show([describe(idx), ...lines].join("\n"), box.left + left, box.top + top);
  }

  function make(box, width) {
    const style = axisStyle();
    const { x, log } = state;
    const linear = (_, __, max) => [0, max > 0 ? max * 1.05 : 1];
    const scale = log ? { distr: 3, log: 10, range: (_, __, max) => [floor, Math.max(max, floor * y.base) * 1.1] } : { range: linear };
    const logAxis = log ? { splits: (_, __, min, max) => logTicks(min, max, y.base), filter: (_, splits) => splits } : {};
    const plot = new uPlot({
      width, height: y.height,
      cursor: { y: false, points: { size: 7 } },
      legend: { show: false },
      // Padding for the labels of marks, which are above the plot.
      ...(marks.length ? { padding: [22, null, null, null] } : {}),
      scales: { x: { time: false }, y: scale },
      axes: [
        { ...style, label: x.label, ...(x.steps ? { incrs: x.steps } : {}), values: (_, ticks) => ticks.map(x.tick) },
        { ...style, label: y.label + (log ? ", log scale" : ""), size: 78, ...(y.steps ? { incrs: y.steps } : {}),
          values: (_, ticks) => ticks.map(y.tick), ...logAxis },
      ],
      series: [{}, ...series.map((line, index) => ({
        label: line.label, stroke: theme.color(line.color), width: line.width ?? 2, dash: line.dash, paths: stepped, show: !off[index],
        points: { show: false }, spanGaps: true,
      }))],
      hooks: { draw: [(chart) => paintMarks(chart, marks, x.values)], setCursor: [showReadout], setScale: [(chart, key) => { if (key === "x") range.update(chart.scales.x); }] },
    }, [x.values, ...series.map((line) => log ? clampedToFloor(line.values) : line.values)], box);
    plot.over.addEventListener("pointerleave", tip.hide);
    // The cursor of uPlot lags the pointer by a frame, so the position of the click gives the index.
    if (command) onClick(plot.over, (event) => {
      below.copy(command(plot.posToIdx(event.clientX - plot.over.getBoundingClientRect().left)));
    });
    if (state.range) plot.setScale("x", state.range);
    return plot;
  }

  const below = commandLine(command ? EVENT_HINT : ZOOM_HINT);
  const container = plotContainer(make, y.height);
  const range = rangeFields({ axis: () => state.x, ends, zoom: (min, max) => {
    state.range = { min, max };
    if (container.plot) container.plot.setScale("x", state.range);
  } });
  const toggle = (index, shown) => { off[index] = !shown; container.plot.setSeries(index + 1, { show: shown }); };
  const log = el("button", { type: "button", class: "switch", "aria-pressed": String(state.log), onclick: () => {
    state.log = !state.log;
    log.setAttribute("aria-pressed", String(state.log));
    container.draw();
  } }, "log scale");
  const choice = xs.length < 2 ? null : el("select", { "aria-label": "along", onchange: (event) => {
    [state.x, state.range] = [xs[Number(event.target.value)], null];
    container.draw();
  } }, ...xs.map((x, index) => el("option", { value: index }, `by ${x.name}`)));
  const rows = series.map((line) => lineFigures(line, xs[0], y));
  return chartFigure({
    title, picture: container.place, rows,
    summary: [...rows.map(([label, , max, at, last]) => `${label}: max ${max} at ${at}, ${last} at the end`),
      ...marks.filter(({ label }) => label).map(({ index, label }) => `${label}: ${xs[0].text(xs[0].values[index])}`)].join("; ") + ".",
    headings: figureHeadings("", "At start", "Max", "Position of max", "At end"),
    controls: el("div", { class: "controls" }, legend(series, toggle), el("div", { class: "tools" }, choice, log, range.fields)),
    below,
  });
}

// Paints vertical lines with labels above the plot. A label that would overlap the previous label is omitted.
function paintMarks(chart, marks, values) {
  const { ctx, bbox } = chart;
  const unit = devicePixelRatio;
  ctx.save();
  ctx.font = `${12 * unit}px system-ui, sans-serif`;
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  let free = bbox.left;
  for (const { index, label, color } of marks) {
    const x = Math.round(chart.valToPos(values[index], "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = theme.color(color);
    ctx.lineWidth = (label ? 2 : 1) * unit;
    ctx.setLineDash([4 * unit, 3 * unit]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    if (!label) continue;
    const width = ctx.measureText(label).width;
    const left = Math.max(bbox.left, Math.min(x - 4 * unit, bbox.left + bbox.width - width));
    if (left < free) continue;
    free = left + width + 8 * unit;
    ctx.fillStyle = theme.color("text");
    ctx.fillText(label, left, bbox.top - 3 * unit);
  }
  ctx.restore();
}

// Row of the table of values for a line: its value at the start, its maximum with position, its value at the end.
function lineFigures(line, x, y) {
  const known = line.values.map((value, index) => [value, index]).filter(([value]) => value !== null && value !== undefined);
  if (!known.length) return [line.label, "–", "–", "–", "–"];
  const [max, at] = known.reduce((highest, point) => point[0] > highest[0] ? point : highest);
  return [line.label, y.text(known[0][0]), y.text(max), x.text(x.values[at]), y.text(known[known.length - 1][0])];
}

// Two input fields for the ends of the visible range, in the unit of the axis.
function rangeFields({ axis, ends, zoom }) {
  const field = (name) => el("input", { type: "number", step: "any", "aria-label": name, onchange: () => {
    const scale = axis().scale;
    const limits = ends();
    const [min, max] = [from, to].map((input, end) => input.value === "" ? limits[end] : Number(input.value) * scale);
    if (min < max) zoom(min, max);
  } });
  const [from, to] = [field("from"), field("to")];
  const unit = el("span", { class: "soft" });
  const all = el("button", { type: "button", class: "switch", onclick: () => zoom(...ends()) }, "all");
  return {
    fields: el("span", { class: "range" }, from, " to ", to, " ", unit, all),
    update({ min, max }) {
      const { scale, unit: name } = axis();
      from.value = Number((min / scale).toPrecision(7));
      to.value = Number((max / scale).toPrecision(7));
      unit.textContent = name;
    },
  };
}
