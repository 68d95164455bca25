// View of the handles report: handle memory by type and by context over time, false sharing, and estimates for other
// numbers of contexts.

const ESTIMATE = [{ color: "allocated", label: "with one context" }, { color: "padding", label: "additional" }];

// Limit of lines in a chart: each line needs a distinct colour.
const DRAWN_LINES = 6;

// Lines with the highest peaks, in their original order.
function highestLines(lines) {
  const peak = (line) => line.values.reduce((max, value) => Math.max(max, value), 0);
  const kept = new Set([...lines].sort((one, other) => peak(other) - peak(one)).slice(0, DRAWN_LINES));
  return lines.filter((line) => kept.has(line));
}

function omittedNote(lines) {
  return lines.length > DRAWN_LINES ? ` The chart shows the ${DRAWN_LINES} with the highest peaks.` : "";
}

function handleLines(data, lines, title, trace) {
  // Earlier lines are wider, so that they remain visible below lines with equal values.
  const shown = highestLines(lines);
  const series = shown.map((line, number) => ({ label: line.name, color: traceColor(number), values: line.values, width: Math.max(1.5, 4 - number) }));
  const x = timeAxis(data.at, data.unit);
  const describe = (index) => `${x.text(data.at[index])}: ${countText(data.handles?.[index] ?? 0, "live handle")}`;
  return lineChart({ title, series, xs: [x], y: VALUES.bytes("handle memory"), describe, command: (index) => dumpAround(trace, data.stamps[index]) });
}

// Limits of cache lines and contexts in the grid of accesses.
const GRID_LINES = 12;
const GRID_CONTEXTS = 8;

function accessText({ reads, writes }) {
  return [writes ? `W ${grouped(writes)}` : "", reads ? `R ${grouped(reads)}` : ""].filter(Boolean).join(" ");
}

// Grid of cache lines that several contexts accessed, with the writes and reads of each context.
function accessGrid(lines, lineBytes) {
  const shown = lines.slice(0, GRID_LINES);
  const contexts = [...new Set(shown.flatMap((line) => line.accesses_by_context.map((one) => one.context)))].sort((a, b) => a - b).slice(0, GRID_CONTEXTS);
  const max = Math.max(1, ...shown.flatMap((line) => line.accesses_by_context.map((one) => one.reads + one.writes)));
  const accessesOf = (line, context) => line.accesses_by_context.find((one) => one.context === context);
  const grid = el("div", { class: "grid", style: `grid-template-columns: minmax(9ch, 2fr) repeat(${contexts.length}, minmax(min-content, 1fr)) minmax(min-content, 1fr)` });
  const head = (text) => el("b", {}, text);
  grid.append(head("Cache line"), ...contexts.map((context) => head(`ctx ${context}`)), head("Transfers"));
  for (const line of shown) {
    grid.append(el("span", { class: "name" }, line.address));
    for (const context of contexts) {
      const found = accessesOf(line, context);
      const share = found ? 0.25 + 0.75 * (found.reads + found.writes) / max : 0;
      const cell = el("div", { class: "access" }, found ? shareOverlay(share, found.writes ? "" : "read") : null, el("span", {}, found ? accessText(found) : "–"));
      tip.on(cell, () => `line ${line.address} (${lineBytes} B), context ${context}: ${found ? `${grouped(found.writes)} writes, ${grouped(found.reads)} reads` : "no access"}\n`
        + `${line.objects.join(", ")}\n${line.calls.join(", ")}`);
      grid.append(cell);
    }
    grid.append(el("span", {}, grouped(line.transfers)));
  }
  const text = (line) => line.accesses_by_context.map((one) => `context ${one.context}: ${accessText(one)}`).join(", ");
  return chartFigure({ title: "Cache lines by context: writes (W) and reads (R)", picture: grid,
    summary: shown.map((line) => `line ${line.address}: ${text(line)}, ${countText(line.transfers, "transfer")}`).join("; ") + ".",
    headings: [{ title: "Cache line" }, { title: "Written by several contexts" }, { title: "Accesses" }, { title: "Objects" }, { title: "Calls" }, { title: "Transfers", align: "right" }],
    rows: shown.map((line) => [line.address, line.written_by_several ? "yes" : "no", text(line), line.objects.join(", "), line.calls.join(", "), grouped(line.transfers)]) });
}

function costRow(name, one, estimate) {
  const values = [Math.min(one, estimate.bytes), Math.max(0, estimate.bytes - one)];
  return { name, parts: values.map((value, place) => ({ ...ESTIMATE[place], value })), text: `${bytes(estimate.bytes)} in ${countText(estimate.handles, "handle")}` };
}

function costBars(title, rows) { return barChart({ title, keys: ESTIMATE, rows }); }

function costRows(data, prefix) {
  const one = data.estimate[0]?.bytes ?? 0;
  return data.estimate.map((estimate) => costRow(`${prefix}${countText(estimate.contexts, "context")}`, one, estimate));
}

function opensAny(data) { return (data?.estimate ?? []).some((estimate) => estimate.handles > 0); }

REPORTS.handles = {
  charts(data, trace) {
    if (!data.by_type?.length) return [];
    const lines = (data.lines ?? []).filter((line) => line.accesses_by_context.length);
    const sharing = lines.length ? [{ id: "false-sharing", title: "False sharing", body: accessGrid(lines, data.line_bytes),
      note: `Cache lines of ${data.line_bytes} B that were transferred between contexts, the most transfers first. If two contexts write different words of a line, it is falsely shared: pad the data of each context to ${data.line_bytes} B. If they write one word, each needs its own.` }] : [];
    const charts = [...sharing,
      { id: "handles-by-type", title: "Handles by type", body: handleLines(data, data.by_type, "Bytes of live handles, by type", trace),
        note: `Maximum of each interval.${omittedNote(data.by_type)}` },
      { id: "handles-by-context", title: "Handles by context", body: handleLines(data, data.by_context, "Bytes of live handles, by context", trace),
        note: `A deferred context has a handle for each object that it uses, until FinishCommandList.${omittedNote(data.by_context)}` },
    ];
    if (opensAny(data)) {
      charts.push({ id: "contexts-cost", title: "Handle memory by number of contexts", body: costBars("Handle memory of deferred contexts by number of contexts", costRows(data, "")),
        note: "Estimate: the recordings of a context remain together; more contexts divide them round-robin." });
    }
    return charts;
  },
  compared: (traces) => {
    const rows = traces.filter(({ page_data: data }) => opensAny(data)).flatMap(({ name, page_data: data }) => costRows(data, `${name}: `));
    return rows.length ? [costBars("Handle memory of deferred contexts, side by side (estimates)", rows)] : [];
  },
};
