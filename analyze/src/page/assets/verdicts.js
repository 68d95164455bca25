// The first glance: a verdict in one sentence and the three figures behind it.

function card(value, words) { return el("div", { class: "card" }, el("b", {}, value), el("span", {}, words)); }

function verdictPanel(title, verdict, kind = "") {
  const figures = (verdict.figures ?? []).map(({ name, text }) => card(text, name));
  return el("section", { class: `verdict ${kind}` }, title ? el("div", { class: "soft" }, title) : null,
    el("p", {}, ...withCode(verdict.sentence)), verdict.advice ? el("p", { class: "advice" }, ...withCode(verdict.advice)) : null, figures.length ? el("div", { class: "cards" }, ...figures) : null);
}

// Outcome of each limit of the budget, in a table.
function budgetPanel(budget) {
  const traces = new Set(budget.rows.map((row) => row[1])).size;
  const columns = ["Limit", "Trace", "Outcome", "Details"].map((title, place) => [title, place]).filter(([title]) => traces > 1 || title !== "Trace");
  const headings = columns.map(([title]) => ({ title, align: "left" }));
  const panel = verdictPanel("Budget", budget.verdict, budget.broken ? "broken" : "");
  panel.append(el("details", { class: "figures", ...(budget.broken ? { open: "" } : {}) }, el("summary", {}, "Limits"),
    sortableTable(headings, budget.rows.map((row) => columns.map(([, place]) => row[place])))));
  return panel;
}

// A report's title and its verdict; one that has nothing to say says so in its text.
function reportVerdict({ document, verdict }) {
  const title = document.title.split(":")[0];
  const text = document.parts.find((part) => part.text !== undefined)?.text;
  if (!verdict && !text) return null;
  return verdictPanel(title, verdict ?? { sentence: text });
}
