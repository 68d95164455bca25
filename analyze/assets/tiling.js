// Bus transactions of writes into tiled memory: by surface, and by order of writing.

const LEAVING = [{ color: "allocated", label: "lines left whole" }, { color: "padding", label: "lines left in pieces" }];

function transactionRow(name, whole, all, text) {
  const part = (index, value) => ({ ...LEAVING[index], value, text: `${grouped(value)} transactions` });
  return { name, parts: [part(0, whole), part(1, all - whole)], text };
}

function surfaceName(surface) { return `${surface.texture ?? surface.resource}, ${bytes(surface.width_bytes)} × ${grouped(surface.rows)}`; }

function surfaceBars(surfaces) {
  const rows = surfaces.slice(0, 20).map((surface) => transactionRow(surfaceName(surface), surface.full_lines, surface.transactions,
    `${surface.order}: ${grouped(surface.transactions)} for ${grouped(surface.ideal_transactions)} at best`));
  return el("div", { class: "panel" }, legend(LEAVING), stackedBars(rows));
}

function orderBars(surface) {
  const rows = surface.orders.map((other) => transactionRow(`${other.order}, ${other.store_bytes} B`, other.full_lines, other.transactions,
    grouped(other.transactions)));
  return el("div", { class: "panel" }, legend(LEAVING), stackedBars(rows));
}

// The surface that the order of its stores cost most.
function dearest(surfaces) {
  const over = (surface) => surface.transactions - surface.ideal_transactions;
  return surfaces.reduce((most, surface) => over(surface) > over(most) ? surface : most);
}
