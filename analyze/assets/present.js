// Swap chains: what became of their frames, and where the time between present and display goes.

const FATES = [{ color: "allocated", label: "shown" }, { color: "padding", label: "never shown" }];
const PARTS = [{ color: "allocated", label: "copies" }, { color: "padding", label: "everything else" }];

function chainName(chain) { return `${chain.swap_chain}, ${chain.path}`; }

function fateRow(name, shown, never) {
  return { name, parts: [{ ...FATES[0], value: shown }, { ...FATES[1], value: never }], text: `${grouped(never)} of ${grouped(shown + never)} never shown` };
}

function fateBars(title, rows) { return barChart({ title, keys: FATES, text: (value) => things(value, "frame"), rows }); }

function latencyBars(chains) {
  const rows = chains.map((chain) => {
    const copies = (chain.copy_1?.median_ns ?? 0) + (chain.copy_2?.median_ns ?? 0);
    const all = Math.max(chain.latency?.median_ns ?? 0, copies);
    return { name: chainName(chain), parts: [{ ...PARTS[0], value: copies }, { ...PARTS[1], value: all - copies }], text: `${(all / 1e6).toFixed(3)} ms` };
  });
  return barChart({ title: "From present to display (medians)", keys: PARTS, text: (value) => `${(value / 1e6).toFixed(3)} ms`, rows });
}

REPORTS.present = {
  charts(drawn) {
    const chains = drawn.swap_chains ?? [];
    if (!chains.length) return [];
    return [
      { id: "fates", title: "What became of frames", body: fateBars("Frames of each swap chain", chains.map((chain) =>
          fateRow(chainName(chain), chain.frames - chain.never_shown, chain.never_shown))),
        note: "Frames of each swap chain that were shown, and those that never were." },
      { id: "latency", title: "From present to display", body: latencyBars(chains),
        note: "Medians, in simulated time." },
    ];
  },
  compared: (traces) => {
    const rows = traces.flatMap(({ name, drawn }) => (drawn?.swap_chains ?? []).map((chain) =>
      fateRow(`${name}: ${chainName(chain)}`, chain.frames - chain.never_shown, chain.never_shown)));
    return rows.length ? [fateBars("Frames, side by side", rows)] : [];
  },
};
