// Treemap of memory by group. A click opens a group; the path above the map leads back.

// Squarified treemap layout: rows along the shorter side. A row accepts areas while its worst aspect ratio improves,
// because areas near squares are easier to compare and to label.
function squarified(parts, width, height) {
  const total = parts.reduce((sum, part) => sum + part.in_use_bytes, 0) || 1;
  const areas = parts.map((part) => part.in_use_bytes / total * width * height);
  const places = [];
  let [x, y, wide, high, at] = [0, 0, width, height, 0];
  while (at < parts.length) {
    const side = Math.max(1e-6, Math.min(wide, high));
    const worstRatio = (sum, min, max) => Math.max(side * side * max / (sum * sum), sum * sum / (side * side * min));
    let [end, sum, min, max] = [at + 1, areas[at], areas[at], areas[at]];
    while (end < parts.length) {
      const next = areas[end];
      if (worstRatio(sum + next, Math.min(min, next), Math.max(max, next)) > worstRatio(sum, min, max)) break;
      [sum, min, max, end] = [sum + next, Math.min(min, next), Math.max(max, next), end + 1];
    }
    const depth = Math.min(sum / side, Math.max(wide, high));
    let along = 0;
    for (; at < end; at += 1) {
      const length = sum ? areas[at] / sum * side : 0;
      places.push(wide >= high ? { x, y: y + along, wide: depth, high: length } : { x: x + along, y, wide: length, high: depth });
      along += length;
    }
    if (wide >= high) { x += depth; wide -= depth; } else { y += depth; high -= depth; }
  }
  return places;
}

function ownerText(owner) {
  const wasted = owner.waste_bytes > 0 ? `, including ${bytes(owner.waste_bytes)} of rounding and granularity` : "";
  return `${bytes(owner.in_use_bytes)} in ${countText(owner.resources, "resource")}${wasted}`;
}

// Share of the memory of a group that rounding and granularity waste.
function wastedShare(part) { return Math.max(0, Math.min(1, part.waste_bytes / Math.max(1, part.in_use_bytes))); }

// Overlay whose opacity is proportional to a share.
function shareOverlay(share, kind = "") { return el("i", { class: `share-overlay ${kind}`, style: `--share: ${share.toFixed(3)}` }); }

function treemap(root) {
  const path = [root];
  const crumbs = el("nav", { class: "crumbs", "aria-label": "Path to this group" });
  const map = el("div", { class: "treemap", role: "group" });
  const liveText = el("span", { class: "unseen", "aria-live": "polite" });
  const table = el("div", {});
  const go = (depth) => {
    path.length = depth + 1;
    show();
    (map.querySelector("button") ?? crumbs.querySelector("button"))?.focus();
  };
  const open = (part) => { path.push(part); go(path.length - 1); };
  const tile = (part, place) => {
    const wasted = wastedShare(part);
    const hasLabel = place.wide > 64 && place.high > 24;
    const face = [shareOverlay(wasted), hasLabel ? el("b", {}, `${part.name}, ${bytes(part.in_use_bytes)}`) : "",
      ...(hasLabel ? inside(part, place) : [])];
    const attributes = { style: `left: ${place.x}px; top: ${place.y}px; width: ${place.wide}px; height: ${place.high}px`,
      "aria-label": `${part.name}: ${ownerText(part)}${part.parts.length ? "; opens" : ""}` };
    const element = part.parts.length ? el("button", { type: "button", class: "tile", ...attributes, onclick: () => { tip.hide(); open(part); } }, ...face)
      : el("div", { class: "tile leaf", role: "img", ...attributes }, ...face);
    tip.on(element, () => `${part.name}\n${ownerText(part)}`);
    return element;
  };
  // Cells of the subgroups of a group, below its name.
  const inside = (part, place) => {
    const [wide, high] = [place.wide - 10, place.high - 34];
    const parts = part.parts.filter((one) => one.in_use_bytes > 0);
    if (parts.length < 2 || wide < 40 || high < 20) return [];
    return squarified(parts, wide, high).map((cell, index) => el("span", { class: "cell", "aria-hidden": "true",
      style: `left: ${cell.x + 4}px; top: ${cell.y + 24}px; width: ${cell.wide}px; height: ${cell.high}px` }, shareOverlay(wastedShare(parts[index])),
    cell.wide > 60 && cell.high > 18 ? parts[index].name : ""));
  };
  const draw = () => {
    const parts = path.at(-1).parts.filter((part) => part.in_use_bytes > 0);
    const places = squarified(parts, Math.max(map.clientWidth, 200), map.clientHeight || 320);
    map.replaceChildren(...parts.map((part, index) => tile(part, places[index])));
  };
  const show = () => {
    const owner = path.at(-1);
    crumbs.replaceChildren(...path.map((step, depth) => depth + 1 < path.length
      ? el("button", { type: "button", class: "more", onclick: () => go(depth) }, step.name)
      : el("b", { "aria-current": "true" }, step.name)));
    map.setAttribute("aria-label", `${owner.name}: ${ownerText(owner)}`);
    liveText.textContent = `${owner.name}: ${ownerText(owner)}`;
    table.replaceChildren(sortableTable(figureHeadings("Group", "Allocated", "Rounding and granularity", "Resources"),
      owner.parts.map((part) => [part.name, bytes(part.in_use_bytes), bytes(part.waste_bytes), grouped(part.resources)])));
    draw();
  };
  map.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || path.length < 2) return;
    event.preventDefault();
    go(path.length - 2);
  });
  onWidth(map, draw);
  show();
  const figures = el("details", { class: "figures" }, el("summary", {}, "Figures of this chart"), table);
  return el("figure", { class: "panel chart" }, el("figcaption", {}, "Allocated bytes at peak by group: a click opens an area, Escape goes back"),
    crumbs, el("div", { class: "legend" }, el("span", {}, "share wasted by rounding and granularity: 0 %", el("span", { class: "ramp" }), "100 %")),
    map, liveText, figures);
}
