"use strict";
// Dark or light: as the system says, until the button says otherwise. And how elements are made.

const theme = {
  listeners: [],
  system: matchMedia("(prefers-color-scheme: dark)"),
  dark: false,
  set(dark) {
    theme.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    theme.listeners.forEach((listener) => listener());
  },
  color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  },
};
theme.set(theme.system.matches);
theme.system.addEventListener("change", (event) => theme.set(event.matches));

// A screen too narrow for tables and rows of bars side by side. The style sheet has the same width.
const narrow = matchMedia("(max-width: 700px)");

// Reports by name: what of their data the page shows, and how. Each report's file enters itself here.
//   cards(drawn): an element; charts(drawn), tables(drawn): lists of { id, title, note, body };
//   compared(traces of name and drawn): a list of elements.
const REPORTS = {};

// Calls `then` once an element has a width, and whenever it has another: after what was measured has been shown.
const widths = [];
function onWidth(element, then) {
  let width = 0;
  const measure = () => {
    if (Math.abs(element.clientWidth - width) < 2) return;
    width = element.clientWidth;
    setTimeout(() => then(width));
  };
  new ResizeObserver(measure).observe(element);
  widths.push(measure);
}
// Paper has a width of its own, and no observer is asked before it is printed on.
addEventListener("beforeprint", () => widths.forEach((measure) => measure()));

// Elements: el("p", { class: "soft" }, "text", child, ...).
// Parts of a text: what stands between backticks is code.
function withCode(text) {
  return text.split("`").map((part, number) => number % 2 ? el("code", {}, part) : part);
}

function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
