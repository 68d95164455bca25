// Puts the page together.

function card(value, words) { return el("div", { class: "card" }, el("b", {}, value), el("span", {}, words)); }

function cards(trace) {
  const { peak, peak_total: total, peak_placed: fullest } = trace.figures;
  return el("div", { class: "cards" },
    card(bytes(total.total_bytes), "heaps and committed resources at their peak"),
    card(bytes(peak.allocated_bytes), "allocated when most is"),
    card(percent(peak.waste_ratio), "of it wasted by alignment"),
    card(bytes(peak.guaranteed_saving_bytes), "saved for certain by tight alignment"),
    card(bytes(fullest.best_order_saving_bytes), "saved by a better order in heaps"),
    card(grouped(fullest.fragments), `free ranges then, the largest ${bytes(fullest.largest_free_range_bytes)}`));
}

const WASTE = [["rounding", "rounding_bytes"], ["padding", "padding_bytes"], ["granularity", "granularity_bytes"]];

function typeBars(types) {
  const rows = types.map((type) => {
    const parts = WASTE.map(([color, key]) => ({ color, value: type[key], label: color }));
    const waste = parts.reduce((sum, part) => sum + part.value, 0);
    return { name: type.name, parts, waste, text: `${bytes(waste)} in ${grouped(type.resources)}` };
  }).filter((row) => row.waste > 0);
  if (!rows.length) return el("p", {}, "Alignment wastes nothing here.");
  return el("div", { class: "panel" }, legend(WASTE.map(([color]) => ({ color, label: color }))), stackedBars(rows));
}

function heapBars(maps) {
  const rows = maps.maps.slice(0, 20).map((map) => ({
    name: map.name || `heap ${map.heap}`,
    parts: [
      { color: "rounding", value: map.rounding_bytes, label: "rounding" },
      { color: "padding", value: map.padding_bytes, label: "padding" },
      { color: "hole", value: map.hole_bytes, label: "holes" },
    ],
    text: `${bytes(Math.max(0, map.rounding_bytes) + map.padding_bytes)} wasted, ${bytes(map.hole_bytes)} holes`,
  }));
  return el("div", { class: "panel" }, legend([{ color: "rounding", label: "rounding" }, { color: "padding", label: "padding" },
    { color: "hole", label: "holes" }]), stackedBars(rows));
}

function resourceTable(rows) {
  const right = (title, format) => ({ title, align: "right", format });
  const headings = [{ title: "Resource" }, right("Handle"), { title: "Kind" }, { title: "Part" }, right("Requested", bytes),
    right("Allocated", bytes), right("Alignment", bytes), right("Rounding", bytes), right("Padding", bytes), right("Granularity", bytes)];
  const columns = [rows.names, rows.handles, rows.kinds, rows.phases, rows.requested_bytes, rows.allocated_bytes,
    rows.alignment_bytes, rows.rounding_bytes, rows.padding_bytes, rows.granularity_bytes];
  return sortableTable(headings, rows.names.map((_, row) => columns.map((column) => column[row])), { filter: true });
}

function traceSections(trace, prefix) {
  const sections = [];
  const section = (id, title, ...children) => sections.push(el("section", { id: prefix + id }, el("h2", {}, title), ...children));
  if (trace.figures) {
    section("memory", "Memory over time", cards(trace), memoryChart(trace.memory));
    section("types", "Waste by type of resource", el("p", { class: "soft" },
      "Over the whole trace, each resource counted once."), typeBars(trace.types));
    if (trace.maps.maps.length) {
      section("heap-waste", "Waste by heap", el("p", { class: "soft" },
        "Each heap when it is fullest; those where alignment wastes most."), heapBars(trace.maps));
      section("heap-maps", "Heap maps", el("p", { class: "soft" },
        "Each heap when it is fullest, from its first address to its last. Point at it to see what lies there."), heapMaps(trace.maps));
    }
  }
  if (trace.background) {
    const { curve, tasks, of_tasks: all } = trace.background;
    if (curve.frame.length) {
      section("convergence", "Convergence", el("p", { class: "soft" },
        "Instructions that the draws of each frame executed, where the generic shaders' are 100 %; and the variants installed so far."),
      convergenceCharts(curve));
    }
    section("background", "Background tasks over time", el("p", { class: "soft" },
      "Passes, frames and what each worker did. Point at a bar to see which task it is."
      + (all > tasks.length ? ` Drawn are the first ${grouped(tasks.length)} of ${grouped(all)} tasks.` : "")),
    taskTimeline(trace.background), trace.background.running.length ? concurrencyChart(trace.background) : null);
  }
  const written = (trace.surfaces ?? []).filter((surface) => surface.stores > 0);
  if (written.length) {
    section("surfaces", "Writes into tiled memory", el("p", { class: "soft" },
      "Transactions of each mapped surface in a model of 4 write-combining buffers."), surfaceBars(written));
    section("orders", "Orders of writing", el("p", { class: "soft" },
      `What texture ${surfaceName(dearest(written))} would take in each order.`), orderBars(dearest(written)));
  }
  trace.documents.forEach(({ report, document }) => sections.push(documentSection(document, prefix + report)));
  if (trace.resources.names.length) {
    section("resources", "Resources one by one", el("p", { class: "soft" },
      `The ${grouped(trace.resources.names.length)} that waste most of ${grouped(trace.resources.of)}.`), resourceTable(trace.resources));
  }
  return sections;
}

function page() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  document.getElementById("title").textContent = data.traces.map((trace) => trace.name).join(" · ");
  const subjects = document.getElementById("subjects");
  for (const trace of data.traces) {
    subjects.append(el("div", { class: "soft" }, (data.traces.length > 1 ? trace.name + ": " : "") + trace.subject),
      ...trace.losses.map((loss) => el("p", { class: "loss" }, loss)));
  }
  if (data.compared) {
    main.append(el("section", { id: "compared" }, el("h2", {}, "Side by side"),
      el("p", { class: "soft" }, "Heaps and committed resources over time, or over the lines of the call log that both follow."),
      memoryCompared(data.traces.filter((trace) => trace.memory.at.length)),
      sortableTable(data.compared.headings, data.compared.rows)));
  }
  data.traces.forEach((trace, number) => {
    const prefix = data.traces.length > 1 ? `t${number}-` : "";
    if (prefix) main.append(el("h1", { id: prefix + "top", style: "margin-top: 56px" }, trace.name));
    main.append(...traceSections(trace, prefix));
  });
  const contents = document.getElementById("contents");
  main.querySelectorAll("section[id]").forEach((section) => {
    if (data.traces.length === 1 || section.id === "compared" || section.id.endsWith("-memory")) {
      const title = section.id.endsWith("-memory") && data.traces.length > 1
        ? data.traces[Number(section.id.slice(1).split("-")[0])].name : section.querySelector("h2").textContent.split(":")[0];
      contents.append(el("a", { href: "#" + section.id }, title));
    }
  });
  document.getElementById("theme").addEventListener("click", () => theme.set(!theme.dark));
}

page();
