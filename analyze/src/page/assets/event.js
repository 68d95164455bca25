// Commands that list the events around a point of a chart, copied by a click.

// `name` as a shell takes it.
function quoted(name) { return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`; }

// The name of a trace is its file without the extension.
function dumpAround(trace, stamp) { return `taut dump ${quoted(`${trace}.taut`)} --around ${stamp}`; }

// A line below a chart: an explanation, and the command that was copied last.
function commandLine(hint) {
  const command = el("code", { "aria-live": "polite" });
  const line = el("div", { class: "soft hint" }, hint, " ", command);
  line.copy = (text) => {
    // Without the permission to copy, the command can be selected.
    navigator.clipboard?.writeText(text).catch(() => {});
    command.textContent = text;
  };
  return line;
}

const EVENT_HINT = "Drag to zoom, double-click to reset. A click copies the command that lists the events at that point.";
const ZOOM_HINT = "Drag to zoom, double-click to reset.";

// Calls `then` for a click that is not the end of a drag.
function onClick(element, then) {
  let from = null;
  element.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  element.addEventListener("click", (event) => {
    if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 4) then(event);
  });
}
