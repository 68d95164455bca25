// View of the report on an imported trace of Windows: presents, memory over time, engines, queues and swap chains.

const PRESENT_COLORS = { unknown: "padding" };

function presentColor(path) { return PRESENT_COLORS[path] ?? "allocated"; }

function processName({ process_name: name, process }) {
  return name ?? (process === null ? "unknown process" : `process ${process}`);
}

function presentName(group) { return `${processName(group)}, ${group.path}`; }

function presentBars(groups) {
  const text = (group) => `${countText(group.presents, "present")}`
    + (group.interval_ms_p50 === null ? "" : `, p50 ${time(group.interval_ms_p50)}, p99 ${time(group.interval_ms_p99)}`);
  return barChart({ title: "Presents by process and path", text: (value) => countText(value, "present"),
    rows: groups.slice(0, 20).map((group) => ({ name: presentName(group), text: text(group),
      parts: [{ color: presentColor(group.path), label: group.path, value: group.presents }] })) });
}

// A row for each process and path, with a line at the start of each present.
function presentTimeline(rows, presents) {
  const end = Math.max(1, ...rows.map((row) => row.points.at(-1)?.[0] ?? 0));
  const processes = new Map(presents.map((group) => [group.process, processName(group)]));
  const name = (row) => `${processes.get(row.process) ?? `process ${row.process}`}, ${row.path}`;
  const max = (row) => row.points.reduce((longest, [, interval]) => Math.max(longest, interval), 0);
  const picture = el("div", { class: "bars starts" });
  for (const row of rows) {
    // The width follows the page; the lines keep theirs.
    const lines = svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none" });
    const d = row.points.map(([at]) => `M${at / end} 0V1`).join("");
    lines.append(svg("path", { d, "vector-effect": "non-scaling-stroke", style: `stroke: var(--${presentColor(row.path)}); stroke-width: 1px` }));
    picture.append(el("span", { class: "name" }, name(row)), lines, el("span", { class: "soft" }, `longest ${time(max(row))}`));
  }
  picture.append(el("span", {}), el("span", { class: "ends soft" }, el("span", {}, time(0)), el("span", {}, time(end))), el("span", {}));
  return chartFigure({ title: "Starts of presents over time", picture,
    summary: `From the top: ${rows.map(name).join("; ")}. The width is ${time(end)}.`,
    headings: figureHeadings("", "Presents", "Longest interval"),
    rows: rows.map((row) => [name(row), grouped(row.points.length + row.left_out), time(max(row))]) });
}

// Curves on one axis of time to the end of the trace. A curve has no value before its first point, and keeps its last one.
function memoryCurves(title, curves, end) {
  const at = [...new Set([...curves.flatMap(({ points }) => points.map((point) => point.at_ns / 1e6)), end])].sort((one, other) => one - other);
  const values = (points) => {
    const known = new Map(points.map((point) => [point.at_ns / 1e6, point.in_use_bytes]));
    let last = null;
    return at.map((time) => last = known.get(time) ?? last);
  };
  const series = curves.map(({ name, points }, number) => ({ label: name, color: traceColor(number), values: values(points) }));
  const x = timeAxis(at, "ms");
  return lineChart({ title, series, xs: [x], y: VALUES.bytes("memory in use"), describe: (index) => x.text(at[index]) });
}

// The curves with the highest maximum: each needs a distinct colour.
function highestCurves(curves) {
  const known = curves.map((curve) => ({ ...curve, points: curve.points.filter((point) => point.at_ns !== null) }));
  const max = ({ points }) => points.reduce((highest, point) => Math.max(highest, point.in_use_bytes), 0);
  return known.filter(({ points }) => points.length).sort((one, other) => max(other) - max(one)).slice(0, DRAWN_LINES);
}

function segmentCurves(segments) {
  const adapters = [...new Set(segments.map(({ adapter }) => adapter))];
  const name = ({ adapter, segment }) => `segment ${segment}` + (adapters.length > 1 ? ` of adapter ${adapters.indexOf(adapter) + 1}` : "");
  return highestCurves(segments.map((segment) => ({ name: name(segment), points: segment.curve })));
}

function processCurves(processes) {
  const group = ({ segment_group: number }) => number === 0 ? "local" : "non-local";
  return highestCurves(processes.map((one) => ({ name: `${processName(one)}, ${group(one)}`, points: one.curve })));
}

function engineName(group) { return `${processName(group)}, ${group.engine === null ? "unknown engine" : `engine ${group.engine}`}`; }

function engineBars(groups) {
  const rows = groups.slice(0, 20).filter((group) => group.busy_ratio !== null).map((group) => ({
    name: engineName(group), text: `${percent(group.busy_ratio)} in ${countText(group.packets, "packet")}`,
    parts: [{ color: "allocated", label: "busy", value: group.busy_ratio }, { color: "tail", label: "idle", value: Math.max(0, 1 - group.busy_ratio) }],
  }));
  const keys = [{ color: "allocated", label: "busy" }, { color: "tail", label: "without a packet of the process" }];
  return rows.length ? barChart({ title: "Busy time of engines", keys, text: percent, rows }) : null;
}

function queueBars(groups) {
  const rows = groups.slice(0, 20).map((group) => ({
    name: engineName(group),
    text: `depth ${grouped(group.max_queue_depth)}, ${countText(group.queued_packets, "packet")}`
      + (group.mean_queued_ns === null ? "" : `, mean ${time(group.mean_queued_ns / 1e6)}`),
    parts: [{ color: "total", label: "max depth", value: group.max_queue_depth }],
  }));
  return barChart({ title: "Maximum depth of queues", text: (value) => countText(value, "packet"), rows });
}

const CHAIN = { side: 64, gap: 8, max: 8 };

function chainText(chain) {
  const known = (name, value) => value === null ? null : `${name} ${value}`;
  const hybrid = [known("hybrid mode", chain.hybrid_present_mode), known("tier", chain.cross_adapter_tier), known("fallback", chain.fallback_reason)];
  return [known("DXGI format", chain.format), known("swap effect", chain.swap_effect), ...hybrid,
    chain.resizes ? countText(chain.resizes, "resize") + (chain.resize_ns === null ? "" : ` in ${time(chain.resize_ns / 1e6)}`) : null, chain.is_from_before ? "from before the trace" : null]
    .filter((text) => text !== null).join(", ") || "no numbers";
}

function chainSize({ width, height }) { return width === null || height === null ? "unknown size" : `${width} × ${height}`; }

// The back buffers of a chain, with the aspect of their size: a row of overlapping rectangles.
function chainPicture(chain, largest) {
  const shown = Math.min(CHAIN.max, chain.buffers ?? 1);
  const scale = (value) => Math.max(4, CHAIN.side * (value ?? largest) / largest);
  const [wide, high] = [scale(chain.width), scale(chain.height)];
  const offset = CHAIN.gap * (shown - 1);
  // An unknown size or number of buffers is dashed.
  const dash = [chain.width, chain.height, chain.buffers].includes(null) ? "; stroke-dasharray: 4 3" : "";
  const picture = svg("svg", { viewBox: `0 0 ${wide + offset + 2} ${high + offset + 2}`, width: wide + offset + 2, height: high + offset + 2 });
  for (let buffer = 0; buffer < shown; buffer += 1) {
    const place = { x: 1 + CHAIN.gap * buffer, y: 1 + CHAIN.gap * buffer, width: wide, height: high };
    picture.append(svg("rect", { ...place, style: `fill: var(--tail); stroke: var(--allocated); stroke-width: 1.5${dash}` }));
  }
  return picture;
}

function chainFigure(chains) {
  const largest = Math.max(1, ...chains.flatMap(({ width, height }) => [width ?? 0, height ?? 0]));
  const title = (chain) => `${processName(chain)}: ${chain.buffers === null ? "unknown buffers" : countText(chain.buffers, "buffer")} of ${chainSize(chain)}`;
  const rows = chains.slice(0, 12);
  const picture = el("div", { class: "chains" }, ...rows.map((chain) => el("figure", {}, chainPicture(chain, largest),
    el("figcaption", {}, el("b", {}, title(chain)), el("span", { class: "soft" }, chainText(chain))))));
  return chartFigure({ title: "Swap chains", picture, summary: rows.map((chain) => `${title(chain)}, ${chainText(chain)}`).join("; ") + ".",
    headings: figureHeadings("", "Buffers", "Size", "Resizes"),
    rows: rows.map((chain) => [processName(chain), chain.buffers === null ? "–" : grouped(chain.buffers), chainSize(chain), grouped(chain.resizes)]) });
}

REPORTS.windows = {
  charts({ span_ns: span, presents, timeline, segments, process_memory: processes, gpu, queues, swap_chains: chains }) {
    const charts = [];
    const add = (id, title, body, note) => { if (body) charts.push({ id, title, body, note }); };
    const rows = (timeline ?? []).filter((row) => row.points.length);
    if (presents?.length) add("windows-presents", "Presents by process and path", presentBars(presents), "A path is unknown if the events that decide it are not in the trace.");
    if (rows.length) add("windows-timeline", "Presents over time", presentTimeline(rows, presents ?? []), "A line for each present that follows another one of its swap chain, window and source.");
    if (gpu?.length) add("windows-gpu", "Engines", engineBars(gpu), "Share of the trace in which a packet or more of the process is at the engine. The trace does not contain the work in the packets.");
    if (queues?.length) add("windows-queues", "Queues", queueBars(queues), "Packets that had entered the queues and not left them. Packets from before the trace are not counted.");
    const ofSegments = segmentCurves(segments ?? []);
    if (ofSegments.length) add("windows-segments", "Memory in use by segment", memoryCurves("Memory in use by segment", ofSegments, (span ?? 0) / 1e6), "Windows reports a value when it changes." + omittedCurves(segments));
    const ofProcesses = processCurves(processes ?? []);
    if (ofProcesses.length) add("windows-processes", "Memory in use by process", memoryCurves("Memory in use by process", ofProcesses, (span ?? 0) / 1e6), "Windows reports a value when it changes." + omittedCurves(processes));
    if (chains?.length) add("windows-chains", "Swap chains", chainFigure(chains), "Rectangles are back buffers, on one scale. No event states copies and bytes of a frame.");
    return charts;
  },
  compared: () => [],
};

function omittedCurves(all) { return all.length > DRAWN_LINES ? ` The chart shows at most ${DRAWN_LINES} curves, those with the highest values.` : ""; }
