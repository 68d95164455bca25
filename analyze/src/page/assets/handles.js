// Handles of Direct3D 11: bytes by type and by context over time, and what numbers of contexts cost.

const ESTIMATE = [{ color: "allocated", label: "as many as one context opens" }, { color: "padding", label: "beyond" }];

// More lines than there are colours could not be told apart.
const DRAWN_LINES = 6;

// The lines that reach highest, in their order.
function highest(lines) {
  const most = (line) => line.values.reduce((most, value) => Math.max(most, value), 0);
  const kept = new Set([...lines].sort((one, other) => most(other) - most(one)).slice(0, DRAWN_LINES));
  return lines.filter((line) => kept.has(line));
}

function leftOut(lines) {
  return lines.length > DRAWN_LINES ? ` The ${DRAWN_LINES} that take most are drawn.` : "";
}

function handleLines(data, lines, title) {
  const series = highest(lines).map((line, number) => ({ label: line.name, color: traceColor(number), values: line.values }));
  const x = timeAxis(data.at, data.unit);
  const describe = (index) => `${x.text(data.at[index])}: ${things(data.handles?.[index] ?? 0, "live handle")}`;
  return lineChart({ title, series, xs: [x], y: VALUES.bytes("memory of handles"), describe });
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
  charts(data) {
    if (!data.by_type?.length) return [];
    const charts = [
      { id: "handles-by-type", title: "Handles by type", body: handleLines(data, data.by_type, "Bytes of handles that live, by type"),
        note: `Of each stretch of time the most is drawn.${leftOut(data.by_type)}` },
      { id: "handles-by-context", title: "Handles by context", body: handleLines(data, data.by_context, "Bytes of handles that live, by context"),
        note: `Each deferred context has handles of its own for the objects it uses, until its list is finished.${leftOut(data.by_context)}` },
    ];
    if (opensAny(data)) {
      charts.push({ id: "contexts-cost", title: "What contexts cost", body: costBars("Handles of deferred contexts, were the lists dealt to so many", costRows(data, "")),
        note: "An estimate: the recordings of this trace, dealt in turn to other numbers of contexts." });
    }
    return charts;
  },
  compared: (traces) => {
    const rows = traces.filter(({ page_data: data }) => opensAny(data)).flatMap(({ name, page_data: data }) => costRows(data, `${name}: `));
    return rows.length ? [costBars("Handles of deferred contexts, side by side (estimates)", rows)] : [];
  },
};
