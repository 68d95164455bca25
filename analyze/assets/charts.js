// Memory over time (uPlot) and stacked bars.

const LINES = [
  { key: "total_bytes", color: "total", label: "heaps and committed" },
  { key: "allocated_bytes", color: "allocated", label: "allocated to resources" },
  { key: "requested_bytes", color: "requested", label: "requested" },
  { key: "padded_64k_bytes", color: "padded", label: "live buffers at 64 KiB each", off: true },
];

// Steps of the axis of bytes: 1, 2, 4, … of each unit.
const BINARY_STEPS = Array.from({ length: 60 }, (_, power) => 2 ** power);

function legend(lines, toggle) {
  return el("div", { class: "legend" }, ...lines.map((line, index) => {
    const swatch = el("i", { style: `background: ${line.swatch || `var(--${line.color})`}` });
    if (!toggle) return el("span", {}, swatch, line.label);
    const button = el("button", { type: "button", "aria-pressed": String(!line.off), onclick: () => {
      const pressed = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(pressed));
      toggle(index, pressed);
    } }, swatch, line.label);
    return button;
  }));
}

const BYTES = { text: bytes, steps: BINARY_STEPS, height: 320 };

// A chart of lines over time. series: [{ label, color | swatch, values, off }]. scale: how values are told.
function timeChart(at, unit, series, describe, scale = BYTES) {
  const place = el("div", { class: "plot" });
  let plot = null;
  const off = series.map((line) => Boolean(line.off));
  const color = (line) => line.swatch || theme.color(line.color);
  const stepped = uPlot.paths.stepped({ align: 1 });
  function draw() {
    if (plot) plot.destroy();
    const axis = { stroke: theme.color("soft"), grid: { stroke: theme.color("line"), width: 1 }, ticks: { stroke: theme.color("line") } };
    plot = new uPlot({
      width: Math.max(place.clientWidth, 300), height: scale.height,
      cursor: { y: false, points: { size: 7 } },
      legend: { show: false },
      scales: { x: { time: false }, y: { range: (_, __, most) => [0, most > 0 ? most * 1.05 : 1] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((tick) => unit === "ms" ? time(tick) : grouped(tick)) },
        { ...axis, size: 84, ...(scale.steps ? { incrs: scale.steps } : {}), values: (_, ticks) => ticks.map(scale.text) },
      ],
      series: [{}, ...series.map((line, index) => ({
        label: line.label, stroke: color(line), width: 1.5, paths: stepped, show: !off[index], points: { show: false },
        spanGaps: true, fill: index === 0 && series.length <= LINES.length ? color(line) + "18" : undefined,
      }))],
      hooks: { setCursor: [(chart) => {
        const { idx, left } = chart.cursor;
        if (left < 0 || idx === null || idx === undefined) return tip.hide();
        const box = chart.over.getBoundingClientRect();
        const lines = series.filter((_, index) => !off[index])
          .map((line) => `${line.label}: ${line.values[idx] === null || line.values[idx] === undefined ? "–" : scale.text(line.values[idx])}`);
        tip.show([describe(idx), ...lines].join("\n"), box.left + left, box.top + chart.cursor.top);
      }] },
    }, [at, ...series.map((line) => line.values)], place);
    plot.over.addEventListener("pointerleave", tip.hide);
  }
  const toggle = (index, shown) => { off[index] = !shown; plot.setSeries(index + 1, { show: shown }); };
  const panel = el("div", { class: "panel" }, legend(series, toggle), place,
    el("div", { class: "soft" }, "Drag to look closer, double-click to see all."));
  requestAnimationFrame(draw);
  theme.listeners.push(draw);
  let width = 0;
  new ResizeObserver(() => {
    if (plot && Math.abs(place.clientWidth - width) > 2) { width = place.clientWidth; plot.setSize({ width, height: scale.height }); }
  }).observe(place);
  return panel;
}

function memoryChart(memory) {
  const series = LINES.map((line) => ({ ...line, values: memory[line.key] }));
  const describe = (index) => {
    const when = memory.unit === "ms" ? time(memory.at[index]) : "tick " + grouped(memory.at[index]);
    const seq = memory.seq[index] === null ? "" : `, line ${grouped(memory.seq[index])}`;
    return `${when}${seq}: ${grouped(memory.resources[index])} live resources`;
  };
  return timeChart(memory.at, memory.unit, series, describe);
}

// Several traces in one chart: each one's total, by line where all follow a call log, else from its own start.
function memoryCompared(traces) {
  const lines = traces.every((trace) => trace.memory.seq.slice(1).every((seq) => seq !== null));
  const ats = traces.map((trace) => lines ? trace.memory.seq.map((seq) => seq || 0) : trace.memory.at);
  const at = [...new Set(ats.flat())].sort((a, b) => a - b);
  const swatches = ["#6e4fd0", "#1f9d8f", "#c2571a", "#c2397c", "#4a7a1c", "#777f8a"];
  const series = traces.map((trace, number) => {
    const own = ats[number];
    let next = 0;
    let last = null;
    const values = at.map((moment) => {
      while (next < own.length && own[next] <= moment) last = trace.memory.total_bytes[next++];
      return moment > own[own.length - 1] ? null : last;
    });
    return { label: trace.name, swatch: swatches[number % swatches.length], values };
  });
  const unit = lines ? "line" : traces[0].memory.unit;
  return timeChart(at, unit, series, (index) => unit === "ms" ? time(at[index]) : `${unit} ${grouped(at[index])}`);
}

// Stacked bars. rows: [{ name, parts: [{ color, value, label }], text, tip }].
function stackedBars(rows) {
  const most = Math.max(1, ...rows.map((row) => row.parts.reduce((sum, part) => sum + Math.max(0, part.value), 0)));
  const bars = el("div", { class: "bars" });
  for (const row of rows) {
    const parts = row.parts.filter((part) => part.value > 0).map((part) => {
      const piece = el("i", { style: `width: ${100 * part.value / most}%; background: var(--${part.color})` });
      tip.on(piece, () => `${row.name}\n${part.label}: ${part.text ?? bytes(part.value)}`);
      return piece;
    });
    bars.append(el("span", {}, row.name), el("div", { class: "bar" }, ...parts), el("span", { class: "soft" }, row.text));
  }
  return bars;
}
