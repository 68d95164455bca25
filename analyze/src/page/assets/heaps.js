// Drawing of a heap at its peak as a bar of addresses.

// Computes the offsets of resources from the gaps between them. The data of the page has gaps instead of offsets.
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
    const resourceWidth = size * scale;
    context.fillStyle = map.buffers[index] ? color.buffer : color.texture;
    context.fillRect(left, 0, Math.max(resourceWidth, 0.5), canvas.height);
    // Bytes of rounding at the end of a resource. Only a wide resource has a minimum width of this area:
    // many narrow resources in one pixel would otherwise exaggerate the rounding.
    const rounding = size - map.requested[index];
    if (rounding > 0) {
      const minWidth = resourceWidth > 2 ? 0.5 : 0;
      context.fillStyle = color.rounding;
      context.fillRect(left + map.requested[index] * scale, canvas.height * 0.6, Math.max(rounding * scale, minWidth), canvas.height * 0.4);
    }
    if (resourceWidth > 5) {
      context.fillStyle = theme.color("back");
      context.fillRect(left + resourceWidth - 1, 0, 1, canvas.height);
    }
    reach = Math.max(reach, offset + size);
  });
}

// A gap is padding if rounding its start up to the next resource's alignment gives that resource's offset.
function isPadding(map, index, reach) {
  const alignment = 2 ** map.alignments_log2[index];
  return Math.ceil(reach / alignment) * alignment === map.offsets[index];
}

// Pieces of a heap in order of address: resources and ranges without a resource. Computed at the first use.
function pieces(map) {
  if (map.pieces) return map.pieces;
  const { offsets, sizes } = placed(map);
  map.pieces = [];
  let reach = 0;
  offsets.forEach((offset, index) => {
    if (offset > reach) map.pieces.push({ from: reach, to: offset, kind: isPadding(map, index, reach) ? "padding" : "hole" });
    map.pieces.push({ from: offset, to: offset + sizes[index], kind: "resource", index });
    reach = Math.max(reach, offset + sizes[index]);
  });
  if (reach < map.size_bytes) map.pieces.push({ from: reach, to: map.size_bytes, kind: "tail" });
  return map.pieces;
}

// Index of the piece at an address. Of several pieces that alias, it is the last one that starts at or before the
// address.
function pieceAt(map, address) {
  const all = pieces(map);
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (all[middle].from <= address) low = middle + 1; else high = middle;
  }
  for (let at = low - 1; at >= Math.max(0, low - 64); at -= 1) if (all[at].to > address) return at;
  return Math.max(0, low - 1);
}

function describePiece(map, names, { from, to, kind, index }) {
  if (kind === "tail") return `unused tail: ${bytes(to - from)} after the last resource`;
  if (kind !== "resource") return `${kind === "hole" ? "free gap" : kind}: ${bytes(to - from)} at offset ${grouped(from)}`;
  const rounding = to - from - map.requested[index];
  return `${names[map.names[index]]}\nhandle ${map.handles[index]}, at offset ${grouped(from)}\n`
    + `${bytes(to - from)}, aligned to ${bytes(2 ** map.alignments_log2[index])}`
    + (rounding > 0 ? `\n${bytes(rounding)} of rounding` : "");
}
