// Handles of Direct3D 11: bytes by type and by context over time, and the cost of other numbers of contexts.

const ESTIMATE = [{ color: "allocated", label: "with one context" }, { color: "padding", label: "additional" }];

// More lines than there are colours could not be told apart.
const DRAWN_LINES = 6;

// The lines that reach highest, in their order.
function highest(lines) {
  const most = (line) => line.values.reduce((most, value) => Math.max(most, value), 0);
  const kept = new Set([...lines].sort((one, other) => most(other) - most(one)).slice(0, DRAWN_LINES));
  return lines.filter((line) => kept.has(line));
}

function leftOut(lines) {
  return lines.length > DRAWN_LINES ? ` The chart shows the ${DRAWN_LINES} with the highest peaks.` : "";
}

function handleLines(data, lines, title, trace) {
  // Earlier lines are wider, so that they are seen below equal ones.
  const drawn = highest(lines);
  const series = drawn.map((line, number) => ({ label: line.name, color: traceColor(number), values: line.values, width: Math.max(1.5, 4 - number) }));
  const x = timeAxis(data.at, data.unit);
  const describe = (index) => `${x.text(data.at[index])}: ${things(data.handles?.[index] ?? 0, "live handle")}`;
  return lineChart({ title, series, xs: [x], y: VALUES.bytes("handle memory"), describe, command: (index) => dumpAround(trace, data.stamps[index]) });
}

// Lines and contexts of the grid of accesses.
const GRID_LINES = 12;
const GRID_CONTEXTS = 8;

function accessText({ reads, writes }) {
  return [writes ? `W ${grouped(writes)}` : "", reads ? `R ${grouped(reads)}` : ""].filter(Boolean).join(" ");
}

// Cache lines that several contexts accessed, by context: writes and reads.
function accessGrid(lines, lineBytes) {
  const shown = lines.slice(0, GRID_LINES);
  const contexts = [...new Set(shown.flatMap((line) => line.accesses_by_context.map((one) => one.context)))].sort((a, b) => a - b).slice(0, GRID_CONTEXTS);
  const most = Math.max(1, ...shown.flatMap((line) => line.accesses_by_context.map((one) => one.reads + one.writes)));
  const of = (line, context) => line.accesses_by_context.find((one) => one.context === context);
  const grid = el("div", { class: "grid", style: `grid-template-columns: minmax(0, 2fr) repeat(${contexts.length}, minmax(0, 1fr)) minmax(0, 1fr)` });
  const head = (text) => el("b", {}, text);
  grid.append(head("Cache line"), ...contexts.map((context) => head(`ctx ${context}`)), head("Transfers"));
  for (const line of shown) {
    grid.append(el("span", {}, line.address));
    for (const context of contexts) {
      const found = of(line, context);
      const share = found ? 0.25 + 0.75 * (found.reads + found.writes) / most : 0;
      const cell = el("div", { class: "access" }, found ? heat(share, found.writes ? "" : "read") : null, el("span", {}, found ? accessText(found) : "–"));
      tip.on(cell, () => `line ${line.address} (${lineBytes} B), context ${context}: ${found ? `${grouped(found.writes)} writes, ${grouped(found.reads)} reads` : "no access"}\n`
        + `${line.objects.join(", ")}\n${line.calls.join(", ")}`);
      grid.append(cell);
    }
    grid.append(el("span", {}, grouped(line.transfers)));
  }
  const text = (line) => line.accesses_by_context.map((one) => `context ${one.context}: ${accessText(one)}`).join(", ");
  return chartFigure({ title: "Cache lines by context: writes (W) and reads (R)", picture: grid,
    summary: shown.map((line) => `line ${line.address}: ${text(line)}, ${things(line.transfers, "transfer")}`).join("; ") + ".",
    headings: [{ title: "Cache line" }, { title: "Written by several contexts" }, { title: "Accesses" }, { title: "Objects" }, { title: "Calls" }, { title: "Transfers", align: "right" }],
    rows: shown.map((line) => [line.address, line.written_by_several ? "yes" : "no", text(line), line.objects.join(", "), line.calls.join(", "), grouped(line.transfers)]) });
}

function costRow(name, one, dealt) {
  const values = [Math.min(one, dealt.bytes), Math.max(0, dealt.bytes - one)];
  return { name, parts: values.map((value, place) => ({ ...ESTIMATE[place], value })), text: `${bytes(dealt.bytes)} in ${things(dealt.handles, "handle")}` };
}

function costBars(title, rows) { return barChart({ title, keys: ESTIMATE, rows }); }

function costRows(data, prefix) {
  const one = data.estimate[0]?.bytes ?? 0;
  return data.estimate.map((dealt) => costRow(`${prefix}${things(dealt.contexts, "context")}`, one, dealt));
}

function opensAny(data) { return (data?.estimate ?? []).some((dealt) => dealt.handles > 0); }

REPORTS.handles = {
  charts(data, trace) {
    if (!data.by_type?.length) return [];
    const lines = (data.lines ?? []).filter((line) => line.accesses_by_context.length);
    const sharing = lines.length ? [{ id: "false-sharing", title: "False sharing", body: accessGrid(lines, data.line_bytes),
      note: `Cache lines of ${data.line_bytes} B that were transferred between contexts, the most transfers first. If two contexts write different words of a line, it is falsely shared: pad the data of each context to ${data.line_bytes} B. If they write one word, each needs its own.` }] : [];
    const charts = [...sharing,
      { id: "handles-by-type", title: "Handles by type", body: handleLines(data, data.by_type, "Bytes of live handles, by type", trace),
        note: `Maximum of each interval.${leftOut(data.by_type)}` },
      { id: "handles-by-context", title: "Handles by context", body: handleLines(data, data.by_context, "Bytes of live handles, by context", trace),
        note: `A deferred context has a handle for each object that it uses, until FinishCommandList.${leftOut(data.by_context)}` },
    ];
    if (opensAny(data)) {
      charts.push({ id: "contexts-cost", title: "Handle memory by number of contexts", body: costBars("Handle memory of deferred contexts by number of contexts", costRows(data, "")),
        note: "Estimate: the recordings of this trace, distributed round-robin to other numbers of contexts." });
    }
    return charts;
  },
  compared: (traces) => {
    const rows = traces.filter(({ page_data: data }) => opensAny(data)).flatMap(({ name, page_data: data }) => costRows(data, `${name}: `));
    return rows.length ? [costBars("Handle memory of deferred contexts, side by side (estimates)", rows)] : [];
  },
};
