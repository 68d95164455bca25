// View of the tiling report: bus transactions of writes to tiled memory, by surface and by write order.

const FLUSHES = [{ color: "allocated", label: "full-line flushes" }, { color: "padding", label: "partial flushes" }];

function transactionRow(name, whole, all, text) {
  const part = (index, value) => ({ ...FLUSHES[index], value });
  return { name, parts: [part(0, whole), part(1, all - whole)], text };
}

function transactionBars(title, rows) { return barChart({ title, keys: FLUSHES, text: (value) => countText(value, "transaction"), rows }); }

function surfaceName(surface) {
  const id = surface.texture ?? surface.resource;
  return surface.width_texels === null ? `${id}, ${bytes(surface.width_bytes)} × ${countText(surface.rows, "row")}`
    : `${id}, ${surface.width_texels}×${surface.height_texels} ${surface.format}`;
}

const SVG = "http://www.w3.org/2000/svg";
function svg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const CELL = { wide: 34, high: 13 };

// Picture of one tile: a cell is 16 bytes of a row, borders separate 64-byte lines, numbers are the order of the
// stores.
function tilePicture(tile, { order, store_bytes: width, stores, transactions }) {
  const [wide, high] = [tile.columns * CELL.wide, tile.rows * CELL.high];
  const place = (cell) => [cell % tile.columns * CELL.wide, Math.floor(cell / tile.columns) * CELL.high];
  const rank = new Map(stores.flatMap((cells, number) => cells.map((cell) => [cell, number])));
  const open = new Set(stores.slice(0, tile.buffers).flat().map((cell) => tile.lines[cell]));
  const picture = svg("svg", { viewBox: `-1 -1 ${wide + 2} ${high + 2}` });
  tile.lines.forEach((line, cell) => {
    const [x, y] = place(cell);
    const color = rank.has(cell) ? "allocated" : open.has(line) ? "padded" : "tail";
    picture.append(svg("rect", { x, y, width: CELL.wide, height: CELL.high, style: `fill: var(--${color}); fill-opacity: ${rank.has(cell) ? 0.45 : 0.35}` }));
    const above = cell >= tile.columns && tile.lines[cell - tile.columns] === line;
    if (!above) picture.append(svg("line", { x1: x, y1: y, x2: x + CELL.wide, y2: y, style: "stroke: var(--soft); stroke-width: 1" }));
    const before = cell % tile.columns > 0 && tile.lines[cell - 1] === line;
    if (!before) picture.append(svg("line", { x1: x, y1: y, x2: x, y2: y + CELL.high, style: "stroke: var(--soft); stroke-width: 1" }));
  });
  const centre = (cells) => {
    const [x, y] = place(cells[0]);
    return `${x + CELL.wide / 2},${y + CELL.high / 2}`;
  };
  picture.append(svg("rect", { x: 0, y: 0, width: wide, height: high, style: "fill: none; stroke: var(--soft); stroke-width: 1" }));
  picture.append(svg("polyline", { points: stores.filter((cells) => cells.length).map(centre).join(" "), style: "fill: none; stroke: var(--accent); stroke-width: 1; stroke-opacity: 0.5" }));
  rank.forEach((index, cell) => {
    const [x, y] = place(cell);
    const number = svg("text", { x: x + CELL.wide / 2, y: y + CELL.high - 3, "text-anchor": "middle", "font-size": 10, style: "fill: var(--text)" });
    number.textContent = index + 1;
    picture.append(number);
  });
  const first = stores.slice(0, 2 * tile.buffers);
  const lines = new Set(first.flat().map((cell) => tile.lines[cell])).size;
  const text = `${order}, ${width} B per store: the first ${first.length} stores touch ${countText(lines, "line")} of 64 B, and the write-combining buffers hold ${tile.buffers}. `
    + `The tile takes ${countText(transactions, "transaction")}.`;
  return el("div", {}, el("p", {}, text), picture);
}

function tileFigure(tile) {
  const pictures = el("div", { class: "tiles" }, ...tile.orders.map((order) => tilePicture(tile, order)));
  return chartFigure({ title: `Order of stores in one tile (${tile.layout})`, picture: pictures,
    summary: tile.orders.map(({ order, transactions }) => `${order}: ${countText(transactions, "transaction")} per tile`).join("; ") + ".",
    headings: figureHeadings("Order", "Bytes per store", "Full-line flushes", "Partial flushes", "Transactions per tile"),
    rows: tile.orders.map((one) => [one.order, grouped(one.store_bytes), grouped(one.full_lines), grouped(one.partial_evictions), grouped(one.transactions)]) });
}

function surfaceBars(surfaces) {
  return transactionBars("Transactions of each surface", surfaces.slice(0, 20).map((surface) =>
    transactionRow(surfaceName(surface), surface.full_lines, surface.transactions,
      `${surface.order}: ${grouped(surface.transactions)}, minimum ${grouped(surface.ideal_transactions)}`)));
}

function orderBars(surface) {
  return transactionBars("Transactions by write order", surface.orders.map((other) =>
    transactionRow(`${other.order}, ${other.store_bytes} B`, other.full_lines, other.transactions, grouped(other.transactions))));
}

// Surface with the most transactions above its minimum.
function costliest(surfaces) {
  const excess = (surface) => surface.transactions - surface.ideal_transactions;
  return surfaces.reduce((worst, surface) => excess(surface) > excess(worst) ? surface : worst);
}

function written({ surfaces }) { return (surfaces ?? []).filter((surface) => surface.stores > 0); }

// Bar chart of the sums over all surfaces of each trace, on one scale.
function surfacesCompared(traces) {
  const sum = (surfaces, key) => surfaces.reduce((all, surface) => all + surface[key], 0);
  return transactionBars("Writes to tiled memory, side by side (transactions)", traces.map(({ name, page_data: data }) => {
    const surfaces = written(data);
    const all = sum(surfaces, "transactions");
    return transactionRow(name, sum(surfaces, "full_lines"), all, `${grouped(all)}, minimum ${grouped(sum(surfaces, "ideal_transactions"))}`);
  }));
}

REPORTS.tiling = {
  charts(data) {
    const surfaces = written(data);
    if (!surfaces.length) return [];
    return [
      ...(data.tile ? [{ id: "tile", title: "Order of stores in a tile", body: tileFigure(data.tile),
        note: "The recorded order, and the order with the fewest transactions. A cell is 16 bytes of a row; borders separate the 64-byte lines of write-combining buffers; numbers are the first stores in order." }] : []),
      { id: "surfaces", title: "Writes to tiled memory", body: surfaceBars(surfaces),
        note: "Bus transactions of each mapped surface, by a model of 4 write-combining buffers." },
      { id: "orders", title: "Write orders", body: orderBars(costliest(surfaces)),
        note: `Bus transactions of texture ${surfaceName(costliest(surfaces))} for each write order.` },
    ];
  },
  compared: (traces) => traces.some(({ page_data: data }) => written(data).length) ? [surfacesCompared(traces)] : [],
};
