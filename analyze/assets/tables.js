// Tables that sort by a click on a heading. Long ones show their first rows, and more when asked.

const UNIT = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50, EiB: 2 ** 60,
  "%": 0.01, ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 };

// What a cell is worth in an order: a number with its unit, or its words.
function worth(cell) {
  if (typeof cell === "number") return cell;
  const match = /^(?:line |[<>] )?(-?[\d,]*\.?\d+)(?: (\S+))?$/.exec(cell);
  if (match && (!match[2] || UNIT[match[2]])) return parseFloat(match[1].replaceAll(",", "")) * (UNIT[match[2]] || 1);
  return cell;
}

function order(a, b) {
  const [x, y] = [worth(a), worth(b)];
  if (typeof x === "number" && typeof y === "number") return x - y;
  if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
  return x < y ? -1 : x > y ? 1 : 0;
}

// headings: [{ title, align, format? }]; rows: arrays of cells.
function sortableTable(headings, rows, options) {
  const { page = 100, filter = false } = options || {};
  const body = el("tbody");
  const more = el("button", { type: "button", class: "more", onclick: () => { shown += 5 * page; draw(); } });
  let current = rows.slice();
  let shown = page;
  let search = "";
  function draw() {
    const wanted = search ? current.filter((row) => row.some((cell) => String(cell).toLowerCase().includes(search))) : current;
    const part = document.createDocumentFragment();
    for (const row of wanted.slice(0, shown)) {
      const cells = row.map((cell, column) => {
        const heading = headings[column];
        const text = heading.format && typeof cell === "number" ? heading.format(cell) : cell;
        const title = heading.format === bytes ? grouped(cell) + " bytes" : undefined;
        return el("td", { class: heading.align === "right" ? "right" : undefined, title }, String(text));
      });
      part.append(el("tr", {}, ...cells));
    }
    body.replaceChildren(part);
    more.hidden = wanted.length <= shown;
    more.textContent = `${grouped(wanted.length - shown)} more rows`;
  }
  const heads = headings.map((heading, column) => el("th", {
    scope: "col", class: heading.align === "right" ? "right" : undefined, tabindex: 0,
    onclick: (event) => sort(event.currentTarget, column),
    onkeydown: (event) => { if (event.key === "Enter") sort(event.currentTarget, column); },
  }, heading.title));
  function sort(head, column) {
    const falling = head.getAttribute("aria-sort") === "descending"
      || (!head.hasAttribute("aria-sort") && headings[column].align !== "right");
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", falling ? "ascending" : "descending");
    const sign = falling ? 1 : -1;
    current = rows.slice().sort((a, b) => sign * order(a[column], b[column]));
    draw();
  }
  draw();
  const table = el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body));
  const box = filter ? el("input", { class: "filter", type: "search", placeholder: "Filter", "aria-label": "Filter",
    oninput: (event) => { search = event.target.value.toLowerCase(); shown = page; draw(); } }) : null;
  return el("div", {}, box, table, more);
}

// A report's text: paragraphs and tables.
function documentSection(document, id) {
  const section = el("section", { id }, el("h2", {}, document.title));
  for (const part of document.parts) {
    if (part.text !== undefined) section.append(el("p", {}, part.text));
    else section.append(el("h3", {}, part.table.caption), sortableTable(part.table.headings, part.table.rows));
  }
  return section;
}
