// Commands that list the events around a point of a chart. A click copies the command.

// Quotes `name` for a shell.
function quoted(name) { return /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`; }

// Command for a trace. The name of a trace is its file name without the extension.
function dumpAround(trace, stamp) { return `taut dump ${quoted(`${trace}.taut`)} --around ${stamp}`; }

// Line below a chart: a hint, and the last copied command.
function commandLine(hint) {
  const command = el("code", { "aria-live": "polite" });
  const line = el("div", { class: "soft hint" }, hint, " ", command);
  line.copy = (text) => {
    // The command is also shown as text, so that a user can select it if the browser denies access to the clipboard.
    navigator.clipboard?.writeText(text).catch(() => {});
    command.textContent = text;
  };
  return line;
}

const EVENT_HINT = "Drag to zoom, double-click to reset. A click copies the command that lists the events at that point.";
const ZOOM_HINT = "Drag to zoom, double-click to reset.";

// Calls `then` for a click that does not end a drag, because a drag zooms.
function onClick(element, then) {
  let from = null;
  element.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  element.addEventListener("click", (event) => {
    if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 4) then(event);
  });
}
