// Heaps as address bars: what lies where, when each is fullest.

const HEAP_ROWS = 24;

// Offsets, from the gaps between one resource's end and the next one's begin.
function placed(map) {
  if (map.offsets) return map;
  let end = 0;
  map.offsets = map.gaps.map((gap, index) => {
    const offset = end + gap;
    end = offset + map.sizes[index];
    return offset;
  });
  return map;
}

function drawHeap(canvas, map) {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  const scale = canvas.width / map.size_bytes;
  const color = Object.fromEntries(["buffer", "texture", "padding", "rounding", "hole", "tail"].map((name) => [name, theme.color(name)]));
  context.fillStyle = color.tail;
  context.fillRect(0, 0, canvas.width, canvas.height);
  let reach = 0;
  placed(map).offsets.forEach((offset, index) => {
    const size = map.sizes[index];
    if (offset > reach) {
      context.fillStyle = isPadding(map, index, reach) ? color.padding : color.hole;
      context.fillRect(reach * scale, 0, Math.max((offset - reach) * scale, 0.5), canvas.height);
    }
    const left = offset * scale;
    const wide = size * scale;
    context.fillStyle = map.buffers[index] ? color.buffer : color.texture;
    context.fillRect(left, 0, Math.max(wide, 0.5), canvas.height);
    // The rounded-up rest of a resource, at its end. Of many in one pixel, each colours its share of it.
    const rest = size - map.requested[index];
    if (rest > 0) {
      const least = wide > 2 ? 0.5 : 0;
      context.fillStyle = color.rounding;
      context.fillRect(left + map.requested[index] * scale, canvas.height * 0.6, Math.max(rest * scale, least), canvas.height * 0.4);
    }
    if (wide > 5) {
      context.fillStyle = theme.color("back");
      context.fillRect(left + wide - 1, 0, 1, canvas.height);
    }
    reach = Math.max(reach, offset + size);
  });
}

// A gap is padding if rounding its start up to the next resource's alignment gives that resource's offset.
function isPadding(map, index, reach) {
  const alignment = 2 ** map.alignments_log2[index];
  return Math.ceil(reach / alignment) * alignment === map.offsets[index];
}

// What lies at an address: the last resource that begins at or before it and reaches it, or the gap.
function describeAt(map, names, address) {
  const { offsets, sizes } = placed(map);
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle] <= address) low = middle + 1; else high = middle;
  }
  for (let index = low - 1; index >= Math.max(0, low - 64); index -= 1) {
    if (offsets[index] + sizes[index] > address) {
      const rest = sizes[index] - map.requested[index];
      return `${names[map.names[index]]}\nhandle ${map.handles[index]}, at ${grouped(offsets[index])}\n`
        + `${bytes(sizes[index])}, aligned to ${bytes(2 ** map.alignments_log2[index])}`
        + (rest > 0 ? `\nrounded up by ${bytes(rest)}` : "");
    }
  }
  const start = low === 0 ? 0 : Math.max(...offsets.slice(Math.max(0, low - 64), low).map((offset, at) => offset + sizes[Math.max(0, low - 64) + at]));
  if (low === offsets.length) return `tail: ${bytes(map.size_bytes - start)} behind the last resource`;
  const kind = isPadding(map, low, start) ? "padding" : "hole";
  return `${kind}: ${bytes(offsets[low] - start)} at ${grouped(start)}`;
}

function heapMaps(maps) {
  const box = el("div", { class: "panel" }, legend([
    { color: "buffer", label: "buffers" }, { color: "texture", label: "textures" }, { color: "rounding", label: "rounded up" },
    { color: "padding", label: "padding" }, { color: "hole", label: "holes" }, { color: "tail", label: "tail" },
  ]));
  const rows = el("div");
  let shown = 0;
  const drawn = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach((entry) => {
    drawHeap(entry.target, entry.target.map);
    drawn.unobserve(entry.target);
  }), { rootMargin: "200px" });
  function more() {
    for (const map of maps.maps.slice(shown, shown + HEAP_ROWS)) {
      const canvas = el("canvas", { class: "heap", role: "img", "aria-label": `heap ${map.heap}` });
      canvas.map = map;
      drawn.observe(canvas);
      tip.on(canvas, (event) => {
        const area = canvas.getBoundingClientRect();
        return describeAt(map, maps.names, (event.clientX - area.left) / area.width * map.size_bytes);
      });
      const when = map.seq !== null ? `line ${grouped(map.seq)}` : time(map.at_ms);
      const label = el("div", {}, el("div", {}, map.name || `heap ${map.heap}`),
        el("div", { class: "soft" }, `${bytes(map.size_bytes)}, ${grouped(map.sizes.length)} in it, ${when}`));
      rows.append(el("div", { class: "heap-row" }, label, canvas));
    }
    shown += HEAP_ROWS;
    button.hidden = shown >= maps.maps.length;
    button.textContent = `${Math.max(0, maps.maps.length - shown)} more heaps`;
  }
  const button = el("button", { type: "button", class: "more", onclick: more });
  more();
  theme.listeners.push(() => rows.querySelectorAll("canvas").forEach((canvas) => drawn.observe(canvas)));
  addEventListener("resize", () => rows.querySelectorAll("canvas").forEach((canvas) => drawn.observe(canvas)));
  box.append(rows, button);
  if (maps.heaps > maps.maps.length) {
    box.append(el("p", { class: "soft" }, `Drawn are the ${grouped(maps.maps.length)} of ${grouped(maps.heaps)} heaps where alignment wastes most.`));
  }
  return box;
}
