// Numbers as people read them: the same rules as the terminal's.

// Ties are rounded to even, as the terminal's text is.
function fixed(value, digits) {
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits, roundingMode: "halfEven", useGrouping: false });
}

function bytes(value) {
  const sign = value < 0 ? "-" : "";
  let size = Math.abs(value);
  if (size < 1024) return sign + Math.round(size) + " B";
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let unit = 0;
  size /= 1024;
  while (size >= 1023.5 && unit + 1 < units.length) { size /= 1024; unit += 1; }
  return sign + fixed(size, size < 9.995 ? 2 : size < 99.95 ? 1 : 0) + " " + units[unit];
}

// A tick of an axis: a whole number of a unit has no decimals.
function byteTick(value) { return bytes(value).replace(/\.0+ /, " "); }

function grouped(value) { return value.toLocaleString("en-US"); }

function things(count, name) { return `${grouped(count)} ${name}${count === 1 ? "" : "s"}`; }

function percent(ratio) {
  const value = ratio * 100;
  const size = Math.abs(value);
  if (size === 0) return "0 %";
  if (size < 0.01) return value < 0 ? "> -0.01 %" : "< 0.01 %";
  return fixed(value, size < 10 ? 2 : 1) + " %";
}

function percentTick(ratio) { return Number((ratio * 100).toPrecision(6)) + " %"; }

function time(ms) {
  if (ms === null || ms === undefined) return "";
  const digits = (value) => String(Number(value.toPrecision(6)));
  if (ms >= 1000) return digits(ms / 1000) + " s";
  return ms >= 1 || ms === 0 ? digits(ms) + " ms" : digits(ms * 1000) + " µs";
}

// A moment or a span on a trace's clock, whose unit is "ms" or "ticks".
function clocked(value, unit) {
  return unit === "ms" ? time(value) : things(value, "tick");
}
