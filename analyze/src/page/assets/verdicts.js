// Verdicts: one sentence and the figures that support it.

function card(value, label, kind = "") { return el("div", { class: `card ${kind}` }, el("b", {}, value), el("span", {}, label)); }

// Panel of a verdict. `kind` is "broken" for findings; `more` are cards after those of the verdict.
function verdictPanel(title, verdict, kind = "", more = []) {
  const figures = [...(verdict.figures ?? []).map(({ name, text }) => card(text, name)), ...more];
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

// Number of broken rules that a card names.
const NAMED_RULES = 4;

// Card with the number of broken rules, and the ids of the first ones.
function brokenRules(rules) {
  if (!rules.length) return [];
  const ids = [...rules.slice(0, NAMED_RULES), ...(rules.length > NAMED_RULES ? ["…"] : [])].join(", ");
  return [card(grouped(rules.length), `${rules.length === 1 ? "broken rule" : "broken rules"}: ${ids}`, "broken")];
}

// Panel with the title and the verdict of a report; null for a report that measured nothing.
function reportVerdict({ document, verdict, has_panel: hasPanel, is_finding: isFinding, broken_rules: rules }) {
  if (!verdict || !hasPanel) return null;
  return verdictPanel(document.title.split(":")[0], verdict, isFinding || rules.length ? "broken" : "", brokenRules(rules));
}
