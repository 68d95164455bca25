// Verdicts: one sentence and the figures that support it.

function card(value, label) { return el("div", { class: "card" }, el("b", {}, value), el("span", {}, label)); }

function verdictPanel(title, verdict, kind = "") {
  const figures = (verdict.figures ?? []).map(({ name, text }) => card(text, name));
  return el("section", { class: `verdict ${kind}` }, title ? el("div", { class: "soft" }, title) : null,
    el("p", {}, ...withCode(verdict.sentence)), verdict.advice ? el("p", { class: "advice" }, ...withCode(verdict.advice)) : null, figures.length ? el("div", { class: "cards" }, ...figures) : null);
}

// Panel with the outcome of each limit of the budget.
function budgetPanel(budget) {
  const traces = new Set(budget.rows.map((row) => row[1])).size;
  const columns = ["Limit", "Trace", "Outcome", "Details"].map((title, place) => [title, place]).filter(([title]) => traces > 1 || title !== "Trace");
  const headings = columns.map(([title]) => ({ title, align: "left" }));
  const panel = verdictPanel("Budget", budget.verdict, budget.broken ? "broken" : "");
  panel.append(el("details", { class: "figures", ...(budget.broken ? { open: "" } : {}) }, el("summary", {}, "Limits"),
    sortableTable(headings, budget.rows.map((row) => columns.map(([, place]) => row[place])))));
  return panel;
}

// Panel with the title and the verdict of a report. The first text of the report replaces a missing verdict.
function reportVerdict({ document, verdict }) {
  const title = document.title.split(":")[0];
  const text = document.parts.find((part) => part.text !== undefined)?.text;
  if (!verdict && !text) return null;
  return verdictPanel(title, verdict ?? { sentence: text });
}
