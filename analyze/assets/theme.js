"use strict";
// Dark or light: as the system says, until the button says otherwise.
const theme = {
  listeners: [],
  dark: matchMedia("(prefers-color-scheme: dark)").matches,
  set(dark) {
    theme.dark = dark;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    theme.listeners.forEach((listener) => listener());
  },
  color(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  },
};
theme.set(theme.dark);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => theme.set(event.matches));

// Elements: el("p", { class: "soft" }, "text", child, ...).
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

// Numbers as people read them: the same rules as the terminal's.
function bytes(value) {
  const sign = value < 0 ? "-" : "";
  let size = Math.abs(value);
  if (size < 1024) return sign + size + " B";
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let unit = 0;
  size /= 1024;
  while (size >= 1023.5 && unit + 1 < units.length) { size /= 1024; unit += 1; }
  return sign + size.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0) + " " + units[unit];
}
function grouped(value) { return value.toLocaleString("en-US"); }
function percent(value) { return value === 0 ? "0 %" : (value * 100).toFixed(Math.abs(value) < 0.1 ? 2 : 1) + " %"; }
function time(ms) {
  if (ms === null || ms === undefined) return "";
  const digits = (value) => String(Number(value.toPrecision(6)));
  if (ms >= 1000) return digits(ms / 1000) + " s";
  return ms >= 1 || ms === 0 ? digits(ms) + " ms" : digits(ms * 1000) + " µs";
}

const tip = {
  show(text, x, y) {
    const box = document.getElementById("tip");
    box.textContent = text;
    box.hidden = false;
    const size = box.getBoundingClientRect();
    box.style.left = Math.max(4, Math.min(x + 14, innerWidth - size.width - 8)) + "px";
    box.style.top = (y + 18 + size.height > innerHeight ? Math.max(4, y - size.height - 10) : y + 18) + "px";
  },
  hide() { document.getElementById("tip").hidden = true; },
  // Shows `text(event)` while the pointer is over an element.
  on(element, text) {
    element.addEventListener("pointermove", (event) => {
      const said = text(event);
      if (said) tip.show(said, event.clientX, event.clientY); else tip.hide();
    });
    element.addEventListener("pointerleave", tip.hide);
  },
};
