// View of the present report: path and outcome of frames, latency by stage, traffic over time, engines.

const OUTCOMES = [
  { color: "allocated", label: "flipped", key: "flipped" }, { color: "padded", label: "composed", key: "composed" },
  { color: "granularity", label: "torn", key: "torn" }, { color: "padding", label: "dropped", key: "dropped" },
];
const PARTS = [
  { color: "pass-1", label: "rendering", key: "rendering" }, { color: "allocated", label: "copy 1", key: "copy_1" },
  { color: "padded", label: "copy 2", key: "copy_2" }, { color: "granularity", label: "copy-engine wait", key: "engine_wait" },
  { color: "rounding", label: "fence wait", key: "sync" }, { color: "requested", label: "composition", key: "composition" },
  { color: "padding", label: "refresh wait", key: "refresh_wait" },
];
const ENGINES = ["rendering", "copy 1", "copy 2", "composition"];
const ms = (value) => `${fixed(value, 3)} ms`;
const gigabytes = (value) => `${fixed(value, 3)} GB/s`;
const RATES = { label: "traffic (GB/s)", text: gigabytes, tick: (value) => grouped(Number(value.toPrecision(6))), base: 10, height: 260 };
const LATENCIES = { label: "latency (ms)", text: ms, tick: (value) => grouped(Number(value.toPrecision(6))), base: 10, height: 260 };
const FRAME_TIMES = { ...LATENCIES, label: "frame time (ms)" };

function chainName(chain) { return `${chain.swap_chain}, ${chain.path}`; }

function simulatedAxis(at) {
  const axis = timeAxis(at, "ms");
  return { ...axis, label: axis.label.replace("time since the first event", "simulated time") };
}

function outcomeRow(name, chain) {
  return { name, parts: OUTCOMES.map((outcome) => ({ ...outcome, value: chain[outcome.key] })),
    text: `${grouped(chain.dropped)} of ${grouped(chain.frames)} dropped` };
}

function outcomeBars(title, rows) { return barChart({ title, keys: OUTCOMES, text: (value) => countText(value, "frame"), rows }); }

// Stages of the latency, averaged over all displayed frames. A stage that only some frames have is weighted by their
// number, so that the stages add up to the mean latency.
function partRow(name, chain) {
  const shown = chain.frames - chain.dropped;
  const frames = { composition: chain.composed };
  const parts = PARTS.map((part) => ({ ...part, value: (chain[part.key]?.mean_ns ?? 0) * (frames[part.key] ?? shown) / Math.max(shown, 1) / 1e6 }));
  return { name, parts, text: ms((chain.latency?.mean_ns ?? 0) / 1e6) };
}

function partBars(title, rows) { return barChart({ title, keys: PARTS, text: ms, rows }); }

function latencyLines(name, { over_time: over, decided }) {
  const series = [{ label: "mean", color: traceColor(0), values: over.mean_ms }, { label: "max", color: traceColor(1), values: over.worst_ms, dash: [4, 3] }];
  const x = simulatedAxis(over.at);
  const copies = (index) => over.copies[index] === null ? "no frame" : `${Number(over.copies[index].toFixed(2))} copies per frame`;
  const changes = decided.slice(1);
  const when = changes.length > 4 ? `${changes.length} times` : `at ${changes.map(x.text).join(", ")}`;
  const last = changes.length > 0 ? `, path reselected ${when}` : "";
  return lineChart({ title: `Swap chain ${name}: latency over time${last}`, series, xs: [x], y: LATENCIES,
    describe: (index) => `${x.text(over.at[index])}: ${copies(index)}` });
}

function frameTimeLines(name, { over_time: over }) {
  const series = [{ label: "mean", color: traceColor(0), values: over.frame_mean_ms }, { label: "max", color: traceColor(1), values: over.frame_max_ms, dash: [4, 3] }];
  const x = simulatedAxis(over.at);
  return lineChart({ title: `Swap chain ${name}: frame times over time`, series, xs: [x], y: FRAME_TIMES, describe: (index) => x.text(over.at[index]) });
}

function trafficLines(name, { over_time: over }, chain) {
  const level = (value) => over.at.map(() => value);
  const lines = [["system memory", over.memory, chain.dram_limit_gb_per_s], ["link", over.link, chain.link_limit_gb_per_s]].filter(([, values]) => values);
  const series = lines.flatMap(([label, values, limit], place) => [
    { label, color: traceColor(place), values },
    ...(limit ? [{ label: `${label}, limit`, color: traceColor(place), values: level(limit), dash: [4, 3], width: 1 }] : []),
  ]);
  if (!series.length) return null;
  const x = simulatedAxis(over.at);
  return lineChart({ title: `Swap chain ${name}: traffic and limits`, series, xs: [x], y: RATES, describe: (index) => x.text(over.at[index]) });
}

// Rows from the top: the engines with work, then the display.
function engineTimeline(name, { frames, refreshes }, trace) {
  const used = ENGINES.map((_, row) => row).filter((row) => frames.some(({ bars }) => bars.some(([of]) => of === row)));
  const names = [...used.map((row) => ENGINES[row]), "display"];
  const end = Math.max(0, ...frames.map((frame) => frame.ended));
  const bars = frames.flatMap(({ frame, bars: of, shown, outcome, stamp }) => {
    const color = PASS_COLORS[frame % 2];
    const command = dumpAround(trace, stamp);
    const work = of.map(([row, from, to]) => ({ row: used.indexOf(row), from, to, color, label: String(frame), command,
      text: `frame ${frame}, ${ENGINES[row]}: ${ms(to - from)} from ${ms(from)}` }));
    if (shown === null) return work;
    const next = refreshes.find((at) => at > shown) ?? end;
    return [...work, { row: names.length - 1, from: shown, to: next, color: outcome === "COMPOSED" ? "padded" : outcome === "TORN" ? "granularity" : "allocated",
      label: String(frame), command, text: `frame ${frame}, ${outcome.toLowerCase().replace("_", " ")} at ${ms(shown)}` }];
  });
  const rows = names.map((engine, row) => {
    const rowBars = bars.filter((bar) => bar.row === row);
    return [engine, grouped(rowBars.length), ms(rowBars.reduce((sum, bar) => sum + bar.to - bar.from, 0))];
  });
  return barTimeline({ title: `Swap chain ${name}: the first ${countText(frames.length, "frame")}`, names, bars, end, x: simulatedAxis([end]), rows,
    summary: rows.map(([engine, number, busy]) => `${engine}: ${number} frames, ${busy} in total`).join("; "),
    headings: figureHeadings("", "frames", "total time"), legend: OUTCOMES.slice(0, 3) });
}

// Stops and hops of a path: a stop is a string, a hop is [text, whether it is a copy].
function pathStops(chain, copies) {
  const system = chain.display_adapter_kind === "integrated" ? "system memory" : "video memory of the display's GPU";
  const copied = chain.frames_per_s === null ? "" : `: ${gigabytes(chain.payload_bytes * chain.frames_per_s / 1e9)}`;
  const scanned = chain.refreshes_per_s === null ? "" : `: ${gigabytes(chain.payload_bytes * chain.refreshes_per_s / 1e9)}`;
  const durationText = (part) => part ? `, ${ms(part.p50_ns / 1e6)}` : "";
  const render = `${chain.render_adapter_kind ?? "rendering"} GPU (adapter ${chain.render_adapter}) renders`;
  const display = `panel of the ${chain.display_adapter_kind ?? "display's"} GPU (adapter ${chain.display_adapter})`;
  // The compositor reads the buffer and writes the desktop, from which the display scans out.
  const composition = chain.composed === 0 ? [] : [[`composition of ${chain.composed === chain.frames ? "each frame" : `${grouped(chain.composed)} of ${countText(chain.frames, "frame")}`}${durationText(chain.composition)}`, false],
    "desktop buffer of the compositor"];
  const first = [`copy 1${chain.link_gb_per_s === null ? "" : " over the link"}${copied}${durationText(chain.copy_1)}`, true];
  const scan = `scan-out${scanned}`;
  if (copies === 0) return [`GPU (adapter ${chain.render_adapter}) renders`, ...composition, [scan, false], "panel of the same GPU"];
  if (copies === 1) return [render, first, "cross-adapter buffer, system memory", ...composition, [scan, false], display];
  return [render, first, "cross-adapter buffer, system memory", [`copy 2, by the display's GPU${copied}${durationText(chain.copy_2)}`, true],
    `buffer of the display, ${system}`, ...composition, [scan, false], display];
}

function pathCard(chain, copies, title, lines) {
  const items = pathStops(chain, copies).map((part) => typeof part === "string" ? el("li", { class: "stop" }, part)
    : el("li", { class: part[1] ? "hop copy" : "hop" }, part[0]));
  return el("div", { class: copies === chain.copies ? "path recorded" : "path" }, el("b", {}, title), el("ol", {}, ...items),
    ...lines.filter(Boolean).map((line) => el("p", { class: "soft" }, line)));
}

// Figure of the recorded path of a frame, and of the path with the other number of copies.
function pathFigure(name, chain) {
  const traffic = (value) => value === null || value === undefined ? null : `memory traffic ${gigabytes(value)}`;
  const latency = chain.latency ? `latency p50 ${ms(chain.latency.p50_ns / 1e6)}` : null;
  const recorded = [traffic(chain.dram_gb_per_s), latency].filter(Boolean).join(", ");
  const copiesText = (copies) => copies === 0 ? "no copy between adapters" : copies === 1 ? "one copy (CASO)" : "two copies";
  const cards = [pathCard(chain, chain.copies, `As recorded: ${copiesText(chain.copies)}`, [recorded])];
  const other = chain.copies === 1 ? 2 : chain.copies === 2 ? 1 : null;
  const saving = chain.caso_saving_gb_per_s;
  const isShared = chain.display_adapter_kind === "integrated";
  if (other !== null) {
    const changed = saving === null || !isShared || chain.dram_gb_per_s === null ? null : chain.dram_gb_per_s + (other === 1 ? -saving : saving);
    const saved = other === 1 ? [saving === null ? "" : `${gigabytes(saving)} of ${isShared ? "memory" : "link"} traffic`,
      chain.copy_2 ? `${ms(chain.copy_2.p50_ns / 1e6)} of copy time per frame` : ""].filter(Boolean).join(" and ") : "";
    cards.push(pathCard(chain, other, `With ${copiesText(other)}`, [traffic(changed), saved ? `saves ${saved}` : null]));
  }
  const picture = el("div", { class: "paths" }, ...cards);
  const flat = (copies) => pathStops(chain, copies).map((part) => typeof part === "string" ? part : part[0]).join(" → ");
  const shown = [chain.copies, other].filter((copies) => copies !== null);
  return chartFigure({ title: `Path of the frames of swap chain ${name}`, picture, summary: shown.map((copies) => `${copiesText(copies)}: ${flat(copies)}`).join("; "),
    headings: [{ title: "Path" }, { title: "Steps" }], rows: shown.map((copies) => [copiesText(copies), flat(copies)]) });
}

function reasonNote(chain, reasons) {
  const reason = reasons?.[chain.reason];
  if (!reason || chain.copies < 2) return "Copies and scan-out with their traffic; times are p50.";
  return `Reason ${chain.reason}: ${reason.meaning} One copy needs ${reason.remedy}.`;
}

REPORTS.present = {
  charts({ swap_chains: chains = [], charts: drawings = [], reasons }, trace) {
    if (!chains.length) return [];
    const charts = [
      ...chains.filter((chain) => chain.frames > 0).slice(0, 6).map((chain) => ({ id: `path-${chain.swap_chain}`, title: `Path of swap chain ${chain.swap_chain}`,
        body: pathFigure(chainName(chain), chain), note: reasonNote(chain, reasons) })),
      { id: "outcomes", title: "Frames by outcome", body: outcomeBars("Frames of each swap chain", chains.map((chain) => outcomeRow(chainName(chain), chain))),
        note: "Flipped: scanned out directly; composed: drawn by the compositor; torn: shown in the middle of a refresh; dropped: replaced by a later frame before the refresh." },
      { id: "latency", title: "Latency by stage", body: partBars("Latency from Present to display by stage (means)", chains.map((chain) => partRow(chainName(chain), chain))),
        note: "Means of the displayed frames in simulated time; the stages add up to the latency." },
    ];
    chains.forEach((chain, place) => {
      const drawing = drawings[place];
      if (!drawing?.frames.length) return;
      charts.push({ id: `frame-times-${chain.swap_chain}`, title: `Frame times of swap chain ${chain.swap_chain}`, body: frameTimeLines(chainName(chain), drawing),
        note: "Times from one Present to the next: mean and maximum of each interval of simulated time." });
      const traffic = trafficLines(chainName(chain), drawing, chain);
      charts.push({ id: `latency-${chain.swap_chain}`, title: `Latency of swap chain ${chain.swap_chain}`, body: latencyLines(chainName(chain), drawing),
        note: "Mean and maximum of each interval of simulated time, with the copies per frame." });
      if (traffic) charts.push({ id: `traffic-${chain.swap_chain}`, title: `Traffic of swap chain ${chain.swap_chain}`, body: traffic,
        note: "Traffic of copies, composition and scan-out of this swap chain; dashed lines are the bandwidth limits." });
      charts.push({ id: `engines-${chain.swap_chain}`, title: `Engines of swap chain ${chain.swap_chain}`, body: engineTimeline(chainName(chain), drawing, trace),
        note: "Time of each frame on the engines and on the display." });
    });
    return charts;
  },
  compared: (traces) => {
    const named = traces.flatMap(({ name, page_data: data }) => (data?.swap_chains ?? []).map((chain) => [`${name}: ${chainName(chain)}`, chain]));
    if (!named.length) return [];
    return [outcomeBars("Frames, side by side", named.map(([name, chain]) => outcomeRow(name, chain))),
      partBars("Latency from Present to display by stage, side by side (means)", named.map(([name, chain]) => partRow(name, chain)))];
  },
};
