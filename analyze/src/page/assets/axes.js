// Axes: what they count, in which unit, and where their ticks stand.

const BINARY_STEPS = Array.from({ length: 60 }, (_, power) => 2 ** power);
// Frames, passes and calls are counted in whole numbers, however close one looks.
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

// Of values: `text` tells one, `tick` one at a tick, `base` is the step of a log scale.
const VALUES = {
  bytes: (label) => ({ label: `${label} (bytes)`, text: bytes, tick: byteTick, steps: BINARY_STEPS, base: 2, height: 340 }),
  share: (label) => ({ label: `${label} (%)`, text: percent, tick: percentTick, base: 10, height: 280 }),
  count: (label) => ({ label: `${label} (number)`, text: grouped, tick: grouped, steps: WHOLE_STEPS, base: 10, height: 190 }),
};

// Along time. All ticks are in the unit that the label names.
function timeAxis(at, unit) {
  const last = at[at.length - 1] || 0;
  const [scale, name] = unit !== "ms" ? [1, "ticks"] : last >= 1000 ? [1000, "s"] : last >= 1 ? [1, "ms"] : [0.001, "µs"];
  return { name: "time", label: `time since the first event (${name})`, unit: name, scale, values: at,
    text: (value) => clocked(value, unit), tick: (value) => grouped(Number((value / scale).toPrecision(6))) };
}

// Along a count of something: frames, calls, lines.
function countAxis(name, label, values) {
  return { name, label, unit: "", scale: 1, values, steps: WHOLE_STEPS, text: (value) => `${name} ${grouped(value)}`, tick: grouped };
}

// Ticks of a log scale from `least` to `most`: powers of `base`, eight at most.
function logTicks(least, most, base) {
  const powers = Math.log(most / least) / Math.log(base);
  const step = base ** Math.max(1, Math.ceil(powers / 8));
  const ticks = [];
  for (let tick = least; tick <= most; tick *= step) ticks.push(tick);
  return ticks;
}

// The greatest power of `base` that no value above zero is below: there a log scale begins, and zero is drawn on it.
function logFloor(series, base) {
  const least = series.flatMap((line) => line.values).reduce((low, value) => value > 0 && value < low ? value : low, Infinity);
  return least === Infinity ? 1 : base ** Math.floor(Math.log(least) / Math.log(base) + 1e-9);
}

// Whether a spike leaves most of a line near zero on a linear scale.
function flattened(values, along) {
  const most = values.reduce((high, value) => Math.max(high, value ?? 0), 0);
  const low = values.reduce((sum, value, index) => sum + (value * 20 < most ? (along[index + 1] ?? along[index]) - along[index] : 0), 0);
  return low * 2 > along[along.length - 1] - along[0];
}

// The looks that all axes share.
function axisLooks() {
  return { stroke: theme.color("soft"), grid: { stroke: theme.color("line"), width: 1 }, ticks: { stroke: theme.color("line") },
    font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 20 };
}
