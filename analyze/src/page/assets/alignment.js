// View of the alignment report: memory over time, waste by type and by heap, individual resources.

const LINES = [
  // The width keeps the line visible below a line with equal values.
  { key: "real_bytes", color: "total", label: "allocated", width: 5 },
  { key: "in_use_bytes", color: "allocated", label: "resource memory" },
  { key: "requested_bytes", color: "requested", label: "requested" },
  { key: "padded_64k_bytes", color: "padded", label: "live buffers at 64 KiB each", off: true },
];

// Number of changes in the plan. The report orders changes by reclaimed memory; the saving of each change assumes the
// changes before it.
const PLANNED = 5;
// Text for the part of a saving that stays allocated, because the memory becomes free inside heaps.
function inHeaps({ saving_bytes: saving, reclaimed_bytes: reclaimed }) {
  if (reclaimed >= saving) return "";
  return reclaimed === 0 ? "; the memory becomes free inside heaps" : `; ${bytes(reclaimed)} reclaimed, the rest becomes free inside heaps`;
}
function alignmentPlan(causes, real) {
  const steps = causes.filter(({ changes, cumulative_saving_bytes: saving }) => changes.length && saving > 0).slice(0, PLANNED);
  if (!steps.length) return null;
  const step = ({ meaning, count, example, changes: [change], cumulative_saving_bytes: saving }) => el("li", {},
    el("strong", {}, bytes(saving)), ` ${meaning} (${grouped(count)}, for example ${example}): `
      + change.recommendation[0].toLowerCase() + change.recommendation.slice(1) + inHeaps(change));
  const together = steps.reduce((sum, { cumulative_saving_bytes: saving }) => sum + saving, 0);
  return el("section", { class: "panel plan" },
    el("h3", {}, `Changes in this order, which save ${bytes(together)} of ${bytes(real)} at peak`), el("ol", {}, ...steps.map(step)));
}

// Figures in addition to those of the verdict.
function alignmentCards({ causes, figures: { peak, peak_placed: fullest } }) {
  // A snapshot has no requested sizes.
  const known = (value, what) => value === null ? [] : [card(bytes(value), what)];
  const cards = el("div", { class: "cards" },
    ...known(peak.guaranteed_saving_bytes, "guaranteed saving of tight alignment"),
    // A trace with only committed resources has no order of resources in heaps.
    ...(fullest.heaps === 0 ? [] : [card(bytes(fullest.best_order_saving_bytes), "saving of the best order of resources in heaps"),
      card(grouped(fullest.fragments), `free ranges in heaps at the peak of placed resources, the largest ${bytes(fullest.largest_free_range_bytes)}`)]));
  return [alignmentPlan(causes, peak.real_bytes), cards].filter(Boolean);
}

// Axis of positions in the recorded file: lines of a log, or events.
function positionAxis(memory, positions) {
  return countAxis(memory.seq_unit, `${memory.seq_unit} of the recorded file`, positions);
}

// Axes of a memory chart. A trace of a recorded file has positions in that file; other traces have counts of calls.
function memoryAxes(memory) {
  const lines = memory.seq.length > 1 && memory.seq.slice(1).every((seq) => seq !== null);
  const calls = lines ? positionAxis(memory, memory.seq.map((seq) => seq ?? 0))
    : countAxis("call", "calls that create or release, counted from the first", memory.changes);
  return [timeAxis(memory.at, memory.unit), calls];
}

function memoryChart(memory, trace) {
  const describe = (index) => {
    const seq = memory.seq[index] === null ? "" : `, ${memory.seq_unit} ${grouped(memory.seq[index])}`;
    return `${clocked(memory.at[index], memory.unit)}${seq}: ${countText(memory.resources[index], "live resource")}`;
  };
  return lineChart({ title: "Memory in use", series: LINES.map((line) => ({ ...line, values: memory[line.key] })),
    xs: memoryAxes(memory), y: VALUES.bytes("memory in use"), describe, command: (index) => dumpAround(trace, memory.stamps[index]),
    marks: memory.at.length ? [{ index: memory.peak, label: `peak: ${bytes(memory.in_use_bytes[memory.peak])}`, color: "padding" }] : [] });
}

const WASTE = [["rounding", "rounding_bytes"], ["padding", "padding_bytes"], ["granularity", "granularity_bytes"]];

// Chart of the memory of each type of heap. A budget of video memory limits these sums.
const HEAP_COLORS = ["total", "allocated", "requested", "padded", "granularity"];

function residencyChart(residency) {
  const series = residency.types.flatMap(([label, values, budget], index) => {
    const color = HEAP_COLORS[index % HEAP_COLORS.length];
    const line = { label, values, color };
    return budget === null ? [line] : [line, { label: `${label}: budget`, values: values.map(() => budget), color, dash: [6, 4] }];
  });
  return lineChart({ title: "Memory of heaps by type", series, xs: memoryAxes(residency), y: VALUES.bytes("memory of heaps"),
    describe: (index) => clocked(residency.at[index], residency.unit) });
}

function typeBars(types) {
  const rows = types.map((type) => {
    const parts = WASTE.map(([color, key]) => ({ color, value: type[key], label: color }));
    const waste = parts.reduce((sum, part) => sum + part.value, 0);
    return { name: type.name, parts, waste, text: `${bytes(waste)} in ${countText(type.resources, "resource")}` };
  }).filter((row) => row.waste > 0);
  if (!rows.length) return el("p", {}, "Alignment wastes no memory in this trace.");
  return barChart({ title: "Wasted bytes", keys: WASTE.map(([color]) => ({ color, label: color })), rows });
}

function heapBars(maps) {
  const keys = [["rounding", "rounding_bytes", "rounding"], ["padding", "padding_bytes", "padding"], ["hole", "hole_bytes", "free gaps"]];
  const rows = maps.maps.slice(0, 20).map((map) => ({
    name: heapTitle(map),
    parts: keys.map(([color, key, label]) => ({ color, value: map[key], label })),
    text: `${bytes(Math.max(0, map.rounding_bytes) + map.padding_bytes)} wasted, ${bytes(map.hole_bytes)} in free gaps`,
  }));
  return barChart({ title: "Wasted bytes and bytes in free gaps", keys: keys.map(([color, , label]) => ({ color, label })), rows });
}

function resourceTable(rows) {
  const right = (title, format) => ({ title, align: "right", format });
  const headings = [{ title: "Resource" }, right("Requested", bytes), right("Allocated", bytes), right("Rounding", bytes),
    right("Padding", bytes), right("Granularity", bytes), right("Alignment", bytes), { title: "Kind" }, { title: "Phase" }, right("Handle")];
  const columns = [rows.names, rows.requested_bytes, rows.allocated_bytes, rows.rounding_bytes, rows.padding_bytes,
    rows.granularity_bytes, rows.alignment_bytes, rows.kinds, rows.phases, rows.handles];
  return sortableTable(headings, rows.names.map((_, row) => columns.map((column) => column[row])), { filter: true });
}

// Chart of several traces on one scale: allocated memory and resource memory.
function memoryCompared(traces) {
  const memories = traces.map(({ page_data: data }) => data.memory);
  const lines = memories.every((memory) => memory.seq_unit === memories[0].seq_unit
    && memory.seq.slice(1).every((seq) => seq !== null));
  const ats = memories.map((memory) => lines ? memory.seq.map((seq) => seq ?? 0) : memory.at);
  const at = [...new Set(ats.flat())].sort((a, b) => a - b);
  const along = (own, values) => {
    let [next, last] = [0, null];
    return at.map((moment) => {
      while (next < own.length && own[next] <= moment) last = values[next++];
      return moment > own[own.length - 1] ? null : last;
    });
  };
  const series = traces.flatMap(({ name, page_data: data }, number) => [
    { label: `${name}: allocated`, color: traceColor(number), width: lineWidth(number, traces), values: along(ats[number], data.memory.real_bytes) },
    { label: `${name}: resource memory`, color: traceColor(number), dash: [6, 4], width: lineWidth(number, traces), values: along(ats[number], data.memory.in_use_bytes) },
  ]);
  const x = lines ? positionAxis(memories[0], at) : timeAxis(at, memories[0].unit);
  return lineChart({ title: "Memory in use, side by side", series, xs: [x], y: VALUES.bytes("memory in use"),
    describe: (index) => x.text(at[index]) });
}

// Bar chart of the peaks of all traces on one scale.
function peaksCompared(traces) {
  const bar = (name, value, color) => ({ name, parts: [{ color, value, label: "bytes" }], text: bytes(value) });
  const rows = ["allocated", "resource memory", "requested"].flatMap((label) => traces.map(({ name, page_data: data }, number) => {
    const { peak, peak_real: real } = data.figures;
    const value = { allocated: real.real_bytes, "resource memory": peak.in_use_bytes, requested: peak.requested_bytes }[label];
    return bar(`${label}: ${name}`, value, traceColor(number));
  }));
  return barChart({ title: "Peaks (bytes)", rows, keys: traces.map(({ name }, number) => ({ color: traceColor(number), label: name })) });
}

// Groupings of memory at the peak; the page shows the selected one.
const GROUPINGS = [["by_name", "name"], ["by_phase", "phase"], ["by_heap", "heap"], ["by_heap_type", "heap type"], ["by_format", "format"], ["by_node", "node of the scene"]];

function ownerBars(owners) {
  const place = el("div", {});
  const show = (key, grouping) => {
    const rows = owners[key].map((owner) => ({
      name: owner.name ?? "none",
      parts: [{ color: "rounding", value: Math.max(0, owner.waste_bytes), label: "rounding and granularity" },
        { color: "requested", value: owner.in_use_bytes - Math.max(0, owner.waste_bytes), label: "used" }],
      text: `${bytes(owner.in_use_bytes)} in ${countText(owner.resources, "resource")}`,
    }));
    place.replaceChildren(barChart({ title: `Allocated bytes by ${grouping}`, rows,
      keys: [{ color: "requested", label: "used" }, { color: "rounding", label: "rounding and granularity" }] }));
  };
  // Only traces of scenes have nodes.
  const groupings = GROUPINGS.filter(([key]) => key !== "by_node" || owners[key].some((owner) => owner.name !== null));
  const buttons = groupings.map(([key, grouping]) => {
    const button = el("button", { type: "button", class: "more", "aria-pressed": "false", onclick: () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      show(key, grouping);
    } }, `by ${grouping}`);
    return button;
  });
  buttons[0].click();
  return el("div", {}, el("div", { class: "ways" }, ...buttons), place);
}

REPORTS.alignment = {
  cards: alignmentCards,
  charts(data, trace) {
    // A snapshot has a single point in time and no requested sizes, so charts over time and of waste are omitted.
    const isSnapshot = data.figures.peak.requested_bytes === null;
    const charts = isSnapshot ? [] : [{ id: "memory", title: "Memory over time", body: memoryChart(data.memory, trace) }];
    charts.push(
      ...(data.owners.by_heap_type.length ? [{ id: "owners", title: "Memory by group", note: "At peak.", body: el("div", {}, treemap(data.tree), ownerBars(data.owners)) }] : []),
      ...(data.residency.types.length && !isSnapshot ? [{ id: "residency", title: "Memory by heap type over time", note: "A budget of video memory applies to these sums.", body: residencyChart(data.residency) }] : []),
      ...(isSnapshot ? [] : [{ id: "types", title: "Waste by type of resource", note: "Whole trace; each resource counts once.", body: typeBars(data.types) }]),
    );
    if (!data.maps.maps.length) return charts;
    return [...charts,
      { id: "heap-waste", title: "Waste by heap", note: "Each heap at its own peak; the heaps with the most alignment waste.", body: heapBars(data.maps) },
      { id: "heap-maps", title: "Heap maps", note: "Each heap at its own peak.", body: heapMaps(data.maps) }];
  },
  tables({ resources }) {
    if (!resources.names.length) return [];
    return [{ id: "resources", title: "Resources with the most waste", body: resourceTable(resources),
      note: `${grouped(resources.names.length)} of ${countText(resources.of, "resource")}, the most waste first.` }];
  },
  compared: (traces) => [peaksCompared(traces), memoryCompared(traces.filter(({ page_data: data }) => data.memory.at.length))],
};
