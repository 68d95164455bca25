"use strict";
// Colour theme and construction of elements. The theme follows the system setting until the button overrides it.

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

// Matches screens that are too narrow for tables and rows of bars side by side. The media query of page.css has the
// same width.
const narrow = matchMedia("(max-width: 700px)");

// Views of reports, by name of the report. The script of each report registers its view here.
//   cards(data): a list of elements; charts(data, trace name), tables(data): lists of { id, title, note, body };
//   compared([{ name, page_data }]): a list of elements.
const REPORTS = {};

// Calls `then` with the width of an element when the width is first known and after each change. The timeout defers the
// call until the measured layout is displayed.
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
// Browsers do not notify resize observers before printing, and the page width in print differs from the screen's.
addEventListener("beforeprint", () => widths.forEach((measure) => measure()));

// Splits a text into nodes. Text between backticks becomes a code element.
function withCode(text) {
  return text.split("`").map((part, number) => number % 2 ? el("code", {}, part) : part);
}

// Makes an element: el("p", { class: "soft" }, "text", child, ...). Attributes that begin with "on" are event
// listeners.
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
