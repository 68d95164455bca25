// Formatting of numbers. The rules match those of the terminal, so that a page and a terminal show equal text.

// Rounds ties to even, as the formatter of the terminal does.
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

// Text of an axis tick. A whole number of a unit has no decimals, which keeps tick labels short.
function byteTick(value) { return bytes(value).replace(/\.0+ /, " "); }

function grouped(value) { return value.toLocaleString("en-US"); }

function countText(count, name) { return `${grouped(count)} ${name}${count === 1 ? "" : "s"}`; }

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

// Text of a time or a duration on the clock of a trace. The unit is "ms" or "ticks".
function clocked(value, unit) {
  return unit === "ms" ? time(value) : countText(value, "tick");
}
