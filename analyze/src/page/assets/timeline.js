// Timelines: passes, frames and the tasks of each worker as bars over time.

// Kinds of tasks, each with a colour. A task has the first kind that fits: its outcome first, then its priority.
const TASK_KINDS = [
  { color: "allocated", label: "at idle priority", fits: (task) => task.state === "finished" && !task.boosted },
  { color: "padded", label: "above idle priority", fits: (task) => task.state === "finished" },
  { color: "granularity", label: "result discarded", fits: (task) => task.state === "discarded" },
  { color: "padding", label: "failed", fits: (task) => task.state === "failed" },
  { color: "rounding", label: "unfinished", fits: () => true },
];

const PASS_COLORS = ["pass-0", "pass-1"];

// Rows from the top: passes, frames, one row for each worker, cancelled tasks.
function timelineRows(background, trace) {
  const workers = [...new Set(background.tasks.map((task) => task.worker))].sort((a, b) => a - b);
  const bars = background.tasks.map((task) => ({
    row: 2 + workers.indexOf(task.worker), from: task.started, to: task.stopped,
    color: TASK_KINDS.find((kind) => kind.fits(task)).color,
    text: `task ${task.task} for ${task.name}: ${task.state}${task.boosted ? ", above idle priority" : ""}\n${task.what}\n`
      + `ran ${clocked(task.stopped - task.started, background.unit)}`
      + (task.queued === null ? "" : `, waited ${clocked(task.started - task.queued, background.unit)}`),
    command: dumpAround(trace, task.stamp),
  }));
  background.passes.forEach(([from, mode, stamp], number) => bars.push({
    row: 0, from, to: number + 1 < background.passes.length ? background.passes[number + 1][0] : background.end,
    color: PASS_COLORS[number % 2], text: `pass ${number}: ${mode}`, label: String(number), command: dumpAround(trace, stamp),
  }));
  background.frames.forEach(([from, to, share, stamp], number) => bars.push({
    row: 1, from, to, color: share > 0 ? "requested" : PASS_COLORS[number % 2],
    text: share > 0 ? `frame with concurrent tasks for ${percent(share)} of its time` : "frame without a concurrent task", command: dumpAround(trace, stamp),
  }));
  background.cancelled.forEach(([at, text]) => bars.push({ row: 2 + workers.length, from: at, to: at, color: "padding", text }));
  const names = ["passes", "frames", ...workers.map((worker) => `worker ${worker}`)];
  if (background.cancelled.length) names.push("cancelled");
  return { names, bars };
}

// Rectangle of a bar on the canvas. The minimum width keeps a short bar visible.
function barBox(chart, rows, bar) {
  const left = chart.valToPos(bar.from, "x", true);
  const width = Math.max(chart.valToPos(bar.to, "x", true) - left, 1.5 * devicePixelRatio);
  const top = chart.valToPos(rows - 1 - bar.row + 0.4, "y", true);
  return { left, top, width, height: chart.valToPos(rows - 1 - bar.row - 0.4, "y", true) - top };
}

function paintBars(chart, rows, bars) {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.font = `${11 * devicePixelRatio}px sans-serif`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const bar of bars) {
    const { left, top, width, height } = barBox(chart, rows, bar);
    ctx.fillStyle = theme.color(bar.color);
    ctx.fillRect(left, top, Math.max(width - devicePixelRatio * (width > 4 ? 1 : 0), 1), height);
    if (bar.label && width > 18 * devicePixelRatio) {
      ctx.fillStyle = theme.color("text");
      ctx.fillText(bar.label, Math.max(left, bbox.left) + 4 * devicePixelRatio, top + height / 2);
    }
  }
  ctx.restore();
}

// Bar under the pointer. The shortest of several bars wins, because a longer one can also be reached beside it.
function barUnder(chart, rows, bars) {
  const { left, top } = chart.cursor;
  if (left === undefined || left < 0) return null;
  const row = rows - 1 - Math.round(chart.posToVal(top, "y"));
  const at = chart.posToVal(left, "x");
  const tolerance = chart.posToVal(left + 2, "x") - at;
  const near = bars.filter((bar) => bar.row === row && bar.from - tolerance <= at && at <= bar.to + tolerance);
  return near.length ? near.reduce((shortest, bar) => bar.to - bar.from < shortest.to - shortest.from ? bar : shortest) : null;
}

// Rows of the table of values: one for each worker.
function workerFigures(background) {
  const workers = [...new Set(background.tasks.map((task) => task.worker))].sort((a, b) => a - b);
  return workers.map((worker) => {
    const tasks = background.tasks.filter((task) => task.worker === worker);
    const busy = tasks.reduce((sum, task) => sum + task.stopped - task.started, 0);
    return [`worker ${worker}`, grouped(tasks.length), grouped(tasks.filter((task) => task.boosted).length), clocked(busy, background.unit)];
  });
}

// Width of the column of row names in pixels.
function rowNameWidth(names) {
  return Math.max(84, 18 + 7.5 * Math.max(...names.map((name) => name.length)));
}

// Timeline with one row of bars for each name.
// bars: [{ row, from, to, color, text, label, command }]; a click on a bar copies its command.
function barTimeline({ title, names, bars, end, x, rows, headings, summary, legend: keys }) {
  const height = 90 + 30 * names.length;
  const below = commandLine(bars.some((bar) => bar.command) ? EVENT_HINT : ZOOM_HINT);
  const container = plotContainer((box, width) => {
    const style = axisStyle();
    const plot = new uPlot({
      width, height,
      cursor: { y: false, points: { show: false } },
      legend: { show: false },
      scales: { x: { time: false }, y: { range: () => [-0.6, names.length - 0.4] } },
      axes: [
        { ...style, label: x.label, values: (_, ticks) => ticks.map(x.tick) },
        { ...style, size: rowNameWidth(names), grid: { show: false }, splits: () => names.map((_, row) => row),
          values: () => names.map((_, row) => names[names.length - 1 - row]) },
      ],
      series: [{}, { show: true, paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(chart) => paintBars(chart, names.length, bars)],
        setCursor: [(chart) => {
          const bar = barUnder(chart, names.length, bars);
          if (!bar) return tip.hide();
          const area = chart.over.getBoundingClientRect();
          return tip.show(bar.text, area.left + chart.cursor.left, area.top + chart.cursor.top);
        }],
      },
    }, [[0, Math.max(end, 1e-6)], [0, 0]], box);
    plot.over.addEventListener("pointerleave", tip.hide);
    onClick(plot.over, () => {
      const bar = barUnder(plot, names.length, bars);
      if (bar?.command) below.copy(bar.command);
    });
    return plot;
  }, height);
  return chartFigure({
    title, picture: container.place, rows, headings, summary, controls: legend(keys), below,
  });
}

function taskTimeline(background, trace) {
  const { names, bars } = timelineRows(background, trace);
  const shown = TASK_KINDS.filter((kind) => background.tasks.some((task) => TASK_KINDS.find((other) => other.fits(task)) === kind));
  const rows = workerFigures(background);
  return barTimeline({
    title: "Passes, frames and tasks", names, bars, end: background.end, x: timeAxis([background.end], background.unit), rows,
    legend: [...shown, { color: "requested", label: "frame with a concurrent task" }],
    summary: `${grouped(background.passes.length)} ${background.passes.length === 1 ? "pass" : "passes"}, ${countText(background.frames.length, "frame")}, `
      + `${countText(background.tasks.length, "task")}, ${background.cancelled.length} cancelled. `
      + rows.map(([worker, tasks, , busy]) => `${worker}: ${tasks} tasks, busy for ${busy}`).join("; "),
    headings: figureHeadings("", "tasks", "above idle priority", "busy"),
  });
}
