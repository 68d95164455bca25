// Axes: quantity, unit and positions of ticks.

const BINARY_STEPS = Array.from({ length: 60 }, (_, power) => 2 ** power);
// Steps of ticks for frames, passes and calls. These are counts, so ticks stay whole numbers at every zoom level.
const WHOLE_STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

// Vertical axes. `text` formats a value, `tick` formats a tick, `base` is the ratio of ticks on a log scale.
const VALUES = {
  bytes: (label) => ({ label: `${label} (bytes)`, text: bytes, tick: byteTick, steps: BINARY_STEPS, base: 2, height: 340 }),
  share: (label) => ({ label: `${label} (%)`, text: percent, tick: percentTick, base: 10, height: 280 }),
  count: (label) => ({ label: `${label} (number)`, text: grouped, tick: grouped, steps: WHOLE_STEPS, base: 10, height: 190 }),
};

// Horizontal axis of time. All ticks have the unit of the label.
function timeAxis(at, unit) {
  const last = at[at.length - 1] || 0;
  const [scale, name] = unit !== "ms" ? [1, "ticks"] : last >= 1000 ? [1000, "s"] : last >= 1 ? [1, "ms"] : [0.001, "µs"];
  return { name: "time", label: `time since the first event (${name})`, unit: name, scale, values: at,
    text: (value) => clocked(value, unit), tick: (value) => grouped(Number((value / scale).toPrecision(6))) };
}

// Horizontal axis of a count: frames, calls or lines.
function countAxis(name, label, values) {
  return { name, label, unit: "", scale: 1, values, steps: WHOLE_STEPS, text: (value) => `${name} ${grouped(value)}`, tick: grouped };
}

// Ticks of a log scale from `min` to `max`: powers of `base`. The step grows with the range, so that labels do not
// overlap.
function logTicks(min, max, base) {
  const powers = Math.log(max / min) / Math.log(base);
  const step = base ** Math.max(1, Math.ceil(powers / 8));
  const ticks = [];
  for (let tick = min; tick <= max; tick *= step) ticks.push(tick);
  return ticks;
}

// Lower end of a log scale: the largest power of `base` that is at most the smallest positive value. Zeros are drawn
// there.
function logFloor(series, base) {
  const min = series.flatMap((line) => line.values).reduce((lowest, value) => value > 0 && value < lowest ? value : lowest, Infinity);
  return min === Infinity ? 1 : base ** Math.floor(Math.log(min) / Math.log(base) + 1e-9);
}

// Returns whether a line is below 1/20 of its maximum for most of its range. A linear scale would flatten such a line.
function flattened(values, along) {
  const max = values.reduce((highest, value) => Math.max(highest, value ?? 0), 0);
  const lowLength = values.reduce((sum, value, index) => sum + (value * 20 < max ? (along[index + 1] ?? along[index]) - along[index] : 0), 0);
  return lowLength * 2 > along[along.length - 1] - along[0];
}

// Style of all axes.
function axisStyle() {
  return { stroke: theme.color("soft"), grid: { stroke: theme.color("line"), width: 1 }, ticks: { stroke: theme.color("line") },
    font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 20 };
}
