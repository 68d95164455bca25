// Sortable tables. A click on a heading sorts. A long table shows its first rows, a wide table its first columns;
// buttons show more.

const UNIT = { B: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50, EiB: 2 ** 60,
  "%": 0.01, ns: 1, "µs": 1e3, ms: 1e6, s: 1e9 };

// Sort key of a cell: its number in base units if the cell is a number with a known unit, its text otherwise.
function sortKey(cell) {
  if (typeof cell === "number") return cell;
  const match = /^(?:line |[<>] )?([-+]?[\d,]*\.?\d+)(?: (\S+))?$/.exec(cell);
  if (match && (!match[2] || UNIT[match[2]])) return parseFloat(match[1].replaceAll(",", "")) * (UNIT[match[2]] || 1);
  return cell;
}

function order(a, b) {
  const [x, y] = [sortKey(a), sortKey(b)];
  if (typeof x === "number" && typeof y === "number") return x - y;
  if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
  return x < y ? -1 : x > y ? 1 : 0;
}

// Layout of a column: numbers and short text stay on one line; longer text wraps, and the minimum width of the column
// keeps most words whole.
const [SHORT_WORDS, LONG_WORD] = [18, 30];
function columnClass(heading, rows, column) {
  if (heading.align === "right") return "right";
  return rows.every((row) => String(row[column]).length <= SHORT_WORDS) ? "short" : "words";
}
function longestWord(text) { return String(text).split(/\s/).reduce((max, word) => Math.max(max, word.length), 0); }
function minWidth(letters) { return `--min-width: ${letters}ch`; }
function columnStyle(rows, column) {
  return minWidth(Math.min(rows.reduce((max, row) => Math.max(max, longestWord(row[column])), 12), LONG_WORD) + 2);
}

// headings: [{ title, align, format? }]; rows: arrays of cells.
function sortableTable(headings, rows, options) {
  const { filter = false } = options || {};
  const page = narrow.matches ? 6 : 20;
  const classes = headings.map((heading, column) => columnClass(heading, rows, column));
  const styles = headings.map((_, column) => classes[column] === "words" ? columnStyle(rows, column) : undefined);
  let [current, shown, search, columns] = [rows.slice(), page, "", headings.length];
  const heads = headings.map((heading, column) => el("th", {
    scope: "col", role: "columnheader", class: classes[column], style: minWidth(Math.min(longestWord(heading.title), SHORT_WORDS) + 4), tabindex: 0, onclick: () => sort(column),
    onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(column); } },
  }, heading.title));
  const head = el("tr", { role: "row" });
  const body = el("tbody", { role: "rowgroup" });
  const table = el("table", { role: "table" }, el("thead", { role: "rowgroup" }, head), body);
  const more = el("button", { type: "button", class: "more", onclick: () => { shown += 5 * page; draw(); } });
  const wide = el("button", { type: "button", class: "more", "aria-expanded": "false", onclick: () => {
    table.classList.toggle("stacked");
    fit();
  } });
  const place = el("div", { class: "table" }, table);
  function cellOf(row, column) {
    const [cell, heading] = [row[column], headings[column]];
    const text = heading.format && typeof cell === "number" ? heading.format(cell) : cell;
    const title = heading.format === bytes ? grouped(cell) + " bytes" : undefined;
    return el("td", { role: "cell", class: classes[column], style: styles[column], title, "data-label": heading.title }, String(text));
  }
  function draw() {
    const matching = search ? current.filter((row) => row.some((cell) => String(cell).toLowerCase().includes(search))) : current;
    head.replaceChildren(...heads.slice(0, columns));
    body.replaceChildren(...matching.slice(0, shown)
      .map((row) => el("tr", { role: "row" }, ...headings.slice(0, columns).map((_, column) => cellOf(row, column)))));
    more.hidden = matching.length <= shown;
    more.textContent = countText(matching.length - shown, "more row");
  }
  function sort(column) {
    const [selected, previous] = [heads[column], heads[column].getAttribute("aria-sort")];
    const ascending = previous === "descending" || (previous === null && headings[column].align !== "right");
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    selected.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    const sign = ascending ? 1 : -1;
    current = rows.slice().sort((a, b) => sign * order(a[column], b[column]));
    draw();
  }
  // Shows as many columns as fit. A stacked table shows all columns, one below another.
  function fit() {
    const stacked = table.classList.contains("stacked");
    columns = headings.length;
    draw();
    while (!stacked && columns > 2 && place.scrollWidth > place.clientWidth) { columns -= 1; draw(); }
    wide.hidden = narrow.matches || (!stacked && columns === headings.length);
    wide.setAttribute("aria-expanded", String(stacked));
    wide.textContent = stacked ? "Fewer columns" : countText(headings.length - columns, "more column");
  }
  onWidth(place, fit);
  draw();
  wide.hidden = true;
  const box = filter ? el("input", { class: "filter", type: "search", placeholder: "Filter", "aria-label": "Filter rows",
    oninput: (event) => { search = event.target.value.toLowerCase(); shown = page; draw(); } }) : null;
  return el("div", { class: "table-box" }, box, place, more, wide);
}

// Text and tables of a report. The verdict panel already shows the verdict's sentence, so that part is omitted.
function documentBody({ document, verdict }) {
  const parts = document.parts.filter((part) => part.text === undefined || part.text !== verdict?.sentence);
  return el("div", {}, ...parts.flatMap((part) => part.text !== undefined ? [el("p", { class: "paragraph" }, ...withCode(part.text))]
    : [el("h3", {}, part.table.caption), sortableTable(part.table.headings, part.table.rows)]));
}
