// Stands behind everything else in a page under test: looks at it as a reader would, and tells the page around it.
{
  // Measures as observers would have it measured: they wait for frames, which virtual time leaves behind.
  const rest = async (ms) => {
    widths.forEach((measure) => measure());
    await new Promise((done) => setTimeout(done, ms));
  };
  const shown = (element) => element.getClientRects().length > 0;
  const named = (element) => `${element.tagName.toLowerCase()}.${element.className} ${element.textContent.slice(0, 40)}`;

  const tooWide = () => {
    const tables = [...document.querySelectorAll(".table")].filter((table) => table.scrollWidth > table.clientWidth);
    const page = document.documentElement.scrollWidth > innerWidth ? [document.documentElement] : [];
    const cells = [...document.querySelectorAll("td, th, summary, p, figcaption, .name, .card, .legend")].filter(shown)
      .filter((cell) => cell.getBoundingClientRect().right > innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1);
    return [...page, ...tables, ...cells].map(named);
  };

  // Words that stand out less than 4.5 to 1.
  const channels = (colour) => colour.match(/[\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((channel) => channel / 255)
      .map((channel) => channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const back = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (channels(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const faint = () => [...document.querySelectorAll("body *")].filter((element) => shown(element)
    && [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
    .filter((element) => {
      const [one, other] = [luminance(getComputedStyle(element).color), luminance(back(element))];
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) < 4.5;
    }).map(named);

  const mute = () => {
    const pictures = [...document.querySelectorAll(".plot, .bars, .paths, .grid, .tiles, canvas.heap")];
    const silent = pictures.filter((picture) => picture.getAttribute("role") !== "img" || !/\d/.test(picture.getAttribute("aria-label") ?? ""));
    const bare = [...document.querySelectorAll("figure.chart")].filter((figure) => !figure.querySelector("details td"));
    return { charts: pictures.length, silent: [...silent, ...bare].map(named) };
  };

  // Draws every chart again, with its ticks kept: by axis label.
  const ticks = async () => {
    const kept = {};
    const Drawn = uPlot;
    uPlot = function (options, data, place) {
      options.axes.forEach((axis) => {
        const { values } = axis;
        axis.values = (chart, splits) => {
          (kept[axis.label ?? ""] ??= []).push(...splits.filter((split) => split !== null));
          return values(chart, splits);
        };
      });
      return new Drawn(options, data, place);
    };
    uPlot.paths = Drawn.paths;
    theme.set(theme.dark);
    await rest(200);
    for (const field of document.querySelectorAll(".range input[aria-label=to]")) {
      field.value = Number(field.previousElementSibling.value) + 1;
      field.dispatchEvent(new Event("change"));
    }
    await rest(200);
    return kept;
  };

  // Opens the first area that opens, tells what it shows then, and goes back by keyboard.
  const areas = () => {
    const map = document.querySelector(".treemap");
    if (!map) return null;
    const [before, whole] = [map.getAttribute("aria-label"), map.getBoundingClientRect()];
    const tiles = [...map.querySelectorAll(".tile")].map((tile) => tile.getBoundingClientRect());
    const covered = tiles.reduce((sum, tile) => sum + tile.width * tile.height, 0) / (whole.width * whole.height);
    const first = map.querySelector("button.tile");
    if (!first) return { covered, tiles: tiles.length, before };
    first.click();
    const inside = map.getAttribute("aria-label");
    map.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }));
    return { covered, tiles: tiles.length, before, inside, after: map.getAttribute("aria-label"), name: first.getAttribute("aria-label") };
  };

  // Clicks into the middle of the first chart with lines, and returns the command that the page copied.
  const copied = () => {
    const over = document.querySelector(".plot .u-over");
    if (!over) return null;
    const box = over.getBoundingClientRect();
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true, view: window };
    over.dispatchEvent(new MouseEvent("mouseenter", at));
    over.dispatchEvent(new MouseEvent("mousemove", at));
    over.dispatchEvent(new PointerEvent("pointerdown", at));
    // Without a press and a release the chart takes the click for the end of a drag.
    over.dispatchEvent(new MouseEvent("mousedown", at));
    document.dispatchEvent(new MouseEvent("mouseup", at));
    over.dispatchEvent(new MouseEvent("click", at));
    return over.closest("figure").querySelector(".hint code").textContent;
  };

  const keyboard = () => {
    const bars = [...document.querySelectorAll(".heap-bar")];
    if (!bars.length) return null;
    const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const said = () => document.activeElement.querySelector("[aria-live]").textContent;
    const reached = bars.filter((bar) => bar.tabIndex === 0).length;
    bars[0].focus();
    const found = { reached, ring: getComputedStyle(bars[0]).outlineStyle, first: said(), marked: !bars[0].querySelector(".mark").hidden };
    press("ArrowRight");
    found.second = said();
    press("End");
    found.last = said();
    press("Home");
    found.again = said();
    press("Enter");
    found.tip = document.getElementById("tip").hidden ? "" : document.getElementById("tip").textContent;
    press("Escape");
    found.hidden = document.getElementById("tip").hidden;
    press(" ");
    found.space = !document.getElementById("tip").hidden;
    press("ArrowDown");
    found.below = bars.indexOf(document.activeElement);
    return found;
  };

  // A page may be told the system's theme after its scripts have run, with a frame that virtual time leaves behind: then it is
  // told here.
  const settled = async () => {
    const isAsked = () => theme.system.matches === (document.documentElement.dataset.theme === "dark");
    for (let turn = 0; turn < 10 && !isAsked(); turn++) await rest(100);
    if (!isAsked()) {
      theme.system.dispatchEvent(new MediaQueryListEvent("change", { matches: theme.system.matches, media: theme.system.media }));
    }
  };

  const look = async () => {
    await rest(300);
    await settled();
    const first = document.getElementById("main").firstElementChild;
    const found = {
      width: innerWidth, dark: matchMedia("(prefers-color-scheme: dark)").matches, theme: document.documentElement.dataset.theme,
      first: (first.matches(".verdict") ? first : first.querySelector(".verdict"))?.textContent ?? "",
      bold: document.querySelectorAll("main script, main b b").length, text: document.body.innerText, wide: tooWide(), ...mute(),
      areas: areas(), keyboard: keyboard(), copied: copied(), contents: document.querySelectorAll("#contents a").length,
      pictures: Object.fromEntries([".paths", ".grid", ".tiles svg"].map((kind) => [kind, document.querySelectorAll(kind).length])),
    };
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
    await rest(200);
    document.querySelectorAll("button.more").forEach((button) => { if (shown(button)) button.click(); });
    document.querySelectorAll("button.switch[aria-pressed]").forEach((button) => button.click());
    await rest(200);
    found.wide.push(...tooWide());
    found.faint = faint();
    document.querySelectorAll(".tools select").forEach((select) => { select.value = "1"; select.dispatchEvent(new Event("change")); });
    document.querySelectorAll("button.switch[aria-pressed]").forEach((button) => button.click());
    await rest(200);
    found.ticks = await ticks();
    found.wrongs = window.wrongs;
    return found;
  };

  addEventListener("load", () => look().catch((error) => ({ wrongs: [String(error.stack)] }))
    .then((found) => parent.postMessage(JSON.stringify(found), "*")));
}
