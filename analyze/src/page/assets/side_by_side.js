// Comparison of several traces: verdict, charts on one scale, tables.

const TRACE_COLORS = 6;
function traceColor(number) { return `trace-${number % TRACE_COLORS}`; }

// Width of the line of a trace. Earlier lines are wider, so that lines with equal values remain visible below later
// ones.
function lineWidth(number, traces) { return Math.min(8, 2 + 2.5 * (traces.length - 1 - number)); }

function sideBySide({ verdict, tables }, traces) {
  const charts = Object.entries(REPORTS).flatMap(([report, { compared }]) => {
    const drawing = traces.map((trace) => ({ name: trace.name, page_data: trace.reports.find((one) => one.report === report)?.page_data }))
      .filter(({ page_data: data }) => data);
    return compared && drawing.length > 1 ? compared(drawing) : [];
  });
  return el("section", { id: "compared" }, el("h2", {}, "Side by side"), verdict ? verdictPanel("", verdict) : null, ...charts,
    ...tables.flatMap((table) => [el("h3", {}, table.caption), sortableTable(table.headings, table.rows)]));
}
