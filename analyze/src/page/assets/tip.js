// The box beside the pointer, or beside what the keyboard has chosen.
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
