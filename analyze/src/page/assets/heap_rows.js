// Rows of heaps with pointer and keyboard access: left and right select a piece, up and down select a heap, Home and
// End select the first and last piece, Enter or Space shows the readout of the piece, Escape hides the readout.

const HEAP_ROWS = 24;
const HEAP_KEYS = "A pointer over a heap shows the resource at that address. Keyboard: arrow keys, Home and End move, Enter shows, Escape hides.";

function heapTitle(map) { return map.name || `heap ${map.heap}`; }

function heapSummary(map) {
  return `${bytes(map.size_bytes)}, ${countText(map.sizes.length, "resource")}: ${bytes(map.rounding_bytes)} rounding, `
    + `${bytes(map.padding_bytes)} padding, ${bytes(map.hole_bytes)} in free gaps, ${bytes(map.tail_bytes)} tail`;
}

// Row of one heap. `neighbour(step)` returns the row `step` rows below (above if negative).
function heapRow(map, names, neighbour) {
  const canvas = el("canvas", { class: "heap", role: "img", "aria-label": `${heapTitle(map)}: ${heapSummary(map)}` });
  const mark = el("div", { class: "mark", hidden: "" });
  const liveText = el("div", { class: "unseen", "aria-live": "polite" });
  const bar = el("div", { class: "heap-bar", tabindex: -1, role: "group", "aria-label": `Map of ${heapTitle(map)}` }, canvas, mark, liveText);
  let [selected, open] = [0, false];
  canvas.map = map;
  function select(place) {
    const all = pieces(map);
    selected = Math.max(0, Math.min(all.length - 1, place));
    const { from, to } = all[selected];
    mark.style.left = `${100 * from / map.size_bytes}%`;
    mark.style.width = `${100 * (to - from) / map.size_bytes}%`;
    mark.hidden = false;
    liveText.textContent = describePiece(map, names, all[selected]);
    if (open) show();
  }
  function show() {
    const box = mark.getBoundingClientRect();
    open = true;
    tip.show(liveText.textContent, box.left + box.width / 2, box.bottom);
  }
  function hide() { open = false; tip.hide(); }
  const keys = {
    ArrowRight: () => select(selected + 1), ArrowLeft: () => select(selected - 1),
    Home: () => select(0), End: () => select(pieces(map).length - 1),
    ArrowDown: () => neighbour(1)?.focus(), ArrowUp: () => neighbour(-1)?.focus(),
    Enter: () => open ? hide() : show(), " ": () => open ? hide() : show(), Escape: hide,
  };
  bar.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  bar.addEventListener("focus", () => select(selected));
  bar.addEventListener("blur", () => { mark.hidden = true; hide(); });
  tip.on(canvas, (event) => {
    const area = canvas.getBoundingClientRect();
    const at = (event.clientX - area.left) / area.width * map.size_bytes;
    return describePiece(map, names, pieces(map)[pieceAt(map, at)]);
  });
  return bar;
}

function heapMaps(maps) {
  const rows = el("div");
  const bars = [];
  const visibility = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
    drawHeap(entry.target, entry.target.map);
    visibility.unobserve(entry.target);
  }), { rootMargin: "200px" });
  const redraw = () => rows.querySelectorAll("canvas").forEach((canvas) => visibility.observe(canvas));
  let shown = 0;
  // Tab reaches only the row that had the focus last, so that the keyboard can leave a long list with one key.
  const setTabStop = (bar) => bars.forEach((other) => { other.tabIndex = other === bar ? 0 : -1; });
  function more() {
    for (const map of maps.maps.slice(shown, shown + HEAP_ROWS)) {
      const number = bars.length;
      const bar = heapRow(map, maps.names, (step) => bars[number + step]);
      bar.addEventListener("focus", () => setTabStop(bar));
      bars.push(bar);
      visibility.observe(bar.querySelector("canvas"));
      const when = map.position !== null ? map.position : time(map.at_ms);
      const label = el("div", {}, el("div", { class: "name" }, heapTitle(map)),
        el("div", { class: "soft" }, [bytes(map.size_bytes), countText(map.sizes.length, "resource"), when].filter(Boolean).join(", ")));
      rows.append(el("div", { class: "heap-row" }, label, bar));
    }
    shown += HEAP_ROWS;
    button.hidden = shown >= maps.maps.length;
    button.textContent = countText(Math.max(0, maps.maps.length - shown), "more heap");
  }
  const button = el("button", { type: "button", class: "more", onclick: more });
  more();
  setTabStop(bars[0]);
  theme.listeners.push(redraw);
  addEventListener("resize", redraw);
  addEventListener("beforeprint", () => rows.querySelectorAll("canvas").forEach((canvas) => drawHeap(canvas, canvas.map)));
  const keys = ["buffer", "texture", "padding", "hole", "tail"].map((color) => ({ color, label: { buffer: "buffers", texture: "textures",
    hole: "free gaps", tail: "unused tail" }[color] ?? color }));
  keys.splice(2, 0, { color: "rounding", label: "rounding" });
  const figures = maps.maps.map((map) => [heapTitle(map), map.size_bytes, map.sizes.length, map.rounding_bytes, map.padding_bytes,
    map.hole_bytes, map.tail_bytes]);
  const headings = ["", "Size", "Resources", "Rounding", "Padding", "Free gaps", "Unused tail"].map((title, column) => ({
    title, align: column ? "right" : "left", format: column === 2 ? grouped : bytes }));
  return el("figure", { class: "panel chart" }, el("figcaption", {}, "Resources in heaps, by address"), legend(keys),
    el("p", { class: "soft hint" }, HEAP_KEYS), rows, button,
    maps.heaps > maps.maps.length ? el("p", { class: "soft" },
      `The chart shows ${grouped(maps.maps.length)} of ${countText(maps.heaps, "heap")}, the most alignment waste first.`) : null,
    el("details", { class: "figures" }, el("summary", {}, "Figures of this chart"), sortableTable(headings, figures)));
}
