// Tooltip beside the pointer, or beside the item that the keyboard selects.
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
  // Shows the result of `readout(event)` while the pointer is over an element; an empty result hides the tooltip.
  on(element, readout) {
    element.addEventListener("pointermove", (event) => {
      const text = readout(event);
      if (text) tip.show(text, event.clientX, event.clientY); else tip.hide();
    });
    element.addEventListener("pointerleave", tip.hide);
  },
};
