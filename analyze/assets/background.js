// Background processing: what variants saved from frame to frame, and what the workers did.

const SHARES = { text: percent, height: 260 };
const COUNTS = { text: (value) => grouped(Math.round(value * 100) / 100), height: 150 };

function convergenceCharts(curve) {
  const share = (part, of) => part.map((value, index) => of[index] ? value / of[index] : null);
  const describe = (index) => `frame ${grouped(curve.frame[index])}, pass ${curve.pass[index]}\n`
    + `${grouped(curve.executed[index])} instructions for ${grouped(curve.generic_executed[index])}, ${grouped(curve.variants[index])} variants`;
  const costs = timeChart(curve.frame, "frame", [
    { label: "instructions executed", color: "allocated", values: share(curve.executed, curve.generic_executed) },
    { label: "draws served by a variant", color: "requested", values: share(curve.draws_served, curve.draws) },
  ], describe, SHARES);
  const variants = timeChart(curve.frame, "frame", [{ label: "variants installed so far", color: "total", values: curve.variants }],
    describe, COUNTS);
  return el("div", {}, costs, variants);
}

// How many tasks run at once, at idle priority and above it.
function concurrencyChart(background) {
  const steps = [[0, 0, 0], ...background.running];
  steps.push([background.end, ...steps[steps.length - 1].slice(1)]);
  const at = steps.map(([moment]) => moment);
  const line = (label, color, place) => ({ label, color, values: steps.map((step) => step[place]) });
  const when = (index) => (background.unit === "ms" ? time(at[index]) : `tick ${grouped(at[index])}`);
  return timeChart(at, background.unit, [line("at idle priority", "allocated", 1), line("above idle priority", "padded", 2)], when, COUNTS);
}

// How a task's bar is coloured: by what became of it, then by its priority.
const TASK_KINDS = [
  { color: "allocated", label: "at idle priority", fits: (task) => task.state === "finished" && !task.boosted },
  { color: "padded", label: "above idle priority", fits: (task) => task.state === "finished" },
  { color: "granularity", label: "result abandoned", fits: (task) => task.state === "abandoned" },
  { color: "padding", label: "failed", fits: (task) => task.state === "failed" },
  { color: "rounding", label: "not ended", fits: () => true },
];

const PASS_COLORS = ["hole", "tail"];

// Rows from the top: passes, frames, each worker, cancelled tasks.
function timelineRows(background) {
  const workers = [...new Set(background.tasks.map((task) => task.worker))].sort((a, b) => a - b);
  const bars = background.tasks.map((task) => ({
    row: 2 + workers.indexOf(task.worker), from: task.started, to: task.stopped,
    color: TASK_KINDS.find((kind) => kind.fits(task)).color,
    text: `task ${task.task} for ${task.name}: ${task.state}${task.boosted ? ", above idle priority" : ""}\n${task.what}\n`
      + `ran ${span(background, task.stopped - task.started)}`
      + (task.queued === null ? "" : `, waited ${span(background, task.started - task.queued)}`),
  }));
  background.passes.forEach(([from, mode], number) => bars.push({
    row: 0, from, to: number + 1 < background.passes.length ? background.passes[number + 1][0] : background.end,
    color: PASS_COLORS[number % 2], text: `pass ${number}: ${mode}`, label: String(number),
  }));
  background.frames.forEach(([from, to, share], number) => bars.push({
    row: 1, from, to, color: share > 0 ? "requested" : PASS_COLORS[number % 2],
    text: `a frame, with a task running for ${percent(share)} of it`,
  }));
  background.cancelled.forEach(([at, text]) => bars.push({ row: 2 + workers.length, from: at, to: at, color: "padding", text }));
  const names = ["passes", "frames", ...workers.map((worker) => `worker ${worker}`)];
  if (background.cancelled.length) names.push("cancelled");
  return { names, bars };
}

function span(background, length) {
  return background.unit === "ms" ? time(length) || "0 ms" : `${grouped(length)} ticks`;
}

function taskTimeline(background) {
  const { names, bars } = timelineRows(background);
  const height = 70 + 30 * names.length;
  const place = el("div", { class: "plot" });
  let plot = null;
  // Where a bar lies on the canvas; one too short to see is a stroke.
  const box = (chart, bar) => {
    const left = chart.valToPos(bar.from, "x", true);
    const wide = Math.max(chart.valToPos(bar.to, "x", true) - left, 1.5 * devicePixelRatio);
    const top = chart.valToPos(names.length - 1 - bar.row + 0.4, "y", true);
    return { left, top, wide, high: chart.valToPos(names.length - 1 - bar.row - 0.4, "y", true) - top };
  };
  const paint = (chart) => {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${11 * devicePixelRatio}px sans-serif`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    for (const bar of bars) {
      const { left, top, wide, high } = box(chart, bar);
      ctx.fillStyle = theme.color(bar.color);
      ctx.fillRect(left, top, Math.max(wide - devicePixelRatio * (wide > 4 ? 1 : 0), 1), high);
      if (bar.label && wide > 18 * devicePixelRatio) {
        ctx.fillStyle = theme.color("text");
        ctx.fillText(bar.label, Math.max(left, bbox.left) + 4 * devicePixelRatio, top + high / 2);
      }
    }
    ctx.restore();
  };
  const under = (chart) => {
    const { left, top } = chart.cursor;
    if (left === undefined || left < 0) return null;
    const row = names.length - 1 - Math.round(chart.posToVal(top, "y"));
    const at = chart.posToVal(left, "x");
    const slack = chart.posToVal(left + 2, "x") - at;
    const near = bars.filter((bar) => bar.row === row && bar.from - slack <= at && at <= bar.to + slack);
    return near.length ? near.reduce((best, bar) => bar.to - bar.from < best.to - best.from ? bar : best) : null;
  };
  function draw() {
    if (plot) plot.destroy();
    const axis = { stroke: theme.color("soft"), grid: { stroke: theme.color("line"), width: 1 }, ticks: { stroke: theme.color("line") } };
    plot = new uPlot({
      width: Math.max(place.clientWidth, 300), height,
      cursor: { y: false, points: { show: false } },
      legend: { show: false },
      scales: { x: { time: false }, y: { range: () => [-0.6, names.length - 0.4] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map((tick) => background.unit === "ms" ? time(tick) : grouped(tick)) },
        { ...axis, size: 84, grid: { show: false }, splits: () => names.map((_, row) => row),
          values: () => names.map((_, row) => names[names.length - 1 - row]) },
      ],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: {
        draw: [paint],
        setCursor: [(chart) => {
          const bar = under(chart);
          if (!bar) return tip.hide();
          const area = chart.over.getBoundingClientRect();
          tip.show(bar.text, area.left + chart.cursor.left, area.top + chart.cursor.top);
        }],
      },
    }, [[0, Math.max(background.end, 1e-6)], [0, 0]], place);
    plot.over.addEventListener("pointerleave", tip.hide);
  }
  const shown = TASK_KINDS.filter((kind) => background.tasks.some((task) => TASK_KINDS.find((other) => other.fits(task)) === kind));
  const panel = el("div", { class: "panel" }, legend([...shown, { color: "requested", label: "frame with a task beside it" }]), place,
    el("div", { class: "soft" }, "Drag to look closer, double-click to see all."));
  requestAnimationFrame(draw);
  theme.listeners.push(draw);
  let width = 0;
  new ResizeObserver(() => {
    if (plot && Math.abs(place.clientWidth - width) > 2) { width = place.clientWidth; plot.setSize({ width, height }); }
  }).observe(place);
  return panel;
}
