// Bus transactions of writes into tiled memory: by surface, and by order of writing.

const LEAVING = [{ color: "allocated", label: "lines left whole" }, { color: "padding", label: "lines left in pieces" }];

function transactionRow(name, whole, all, text) {
  const part = (index, value) => ({ ...LEAVING[index], value });
  return { name, parts: [part(0, whole), part(1, all - whole)], text };
}

function transactionBars(title, rows) { return barChart({ title, keys: LEAVING, text: (value) => things(value, "transaction"), rows }); }

function surfaceName(surface) { return `${surface.texture ?? surface.resource}, ${bytes(surface.width_bytes)} × ${grouped(surface.rows)}`; }

function surfaceBars(surfaces) {
  return transactionBars("Transactions of each surface", surfaces.slice(0, 20).map((surface) =>
    transactionRow(surfaceName(surface), surface.full_lines, surface.transactions,
      `${surface.order}: ${grouped(surface.transactions)} for ${grouped(surface.ideal_transactions)} at best`)));
}

function orderBars(surface) {
  return transactionBars("Transactions in each order", surface.orders.map((other) =>
    transactionRow(`${other.order}, ${other.store_bytes} B`, other.full_lines, other.transactions, grouped(other.transactions))));
}

// The surface that the order of its stores cost most.
function dearest(surfaces) {
  const over = (surface) => surface.transactions - surface.ideal_transactions;
  return surfaces.reduce((most, surface) => over(surface) > over(most) ? surface : most);
}

function written({ surfaces }) { return (surfaces ?? []).filter((surface) => surface.stores > 0); }

// All surfaces of each trace together, on one scale.
function surfacesCompared(traces) {
  const sum = (surfaces, key) => surfaces.reduce((all, surface) => all + surface[key], 0);
  return transactionBars("Writes into tiled memory, side by side (transactions)", traces.map(({ name, page_data: data }) => {
    const surfaces = written(data);
    const all = sum(surfaces, "transactions");
    return transactionRow(name, sum(surfaces, "full_lines"), all, `${grouped(all)} for ${grouped(sum(surfaces, "ideal_transactions"))} at best`);
  }));
}

REPORTS.tiling = {
  charts(data) {
    const surfaces = written(data);
    if (!surfaces.length) return [];
    return [
      { id: "surfaces", title: "Writes into tiled memory", body: surfaceBars(surfaces),
        note: "Transactions of each mapped surface in a model of 4 write-combining buffers." },
      { id: "orders", title: "Orders of writing", body: orderBars(dearest(surfaces)),
        note: `What texture ${surfaceName(dearest(surfaces))} would take in each order.` },
    ];
  },
  compared: (traces) => traces.some(({ page_data: data }) => written(data).length) ? [surfacesCompared(traces)] : [],
};
