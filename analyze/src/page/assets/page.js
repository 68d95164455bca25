// Builds the page: verdicts, cards, charts and tables, in that order.

function section(prefix, { id, title, note, body }) {
  return el("section", { id: prefix + id }, el("h2", {}, title), note ? el("p", { class: "soft" }, ...withCode(note)) : null, body);
}

function traceSections(trace, prefix) {
  const shown = trace.reports.filter(({ report, page_data: data }) => data && REPORTS[report]);
  const of = (part) => shown.flatMap(({ report, page_data: data }) => REPORTS[report][part]?.(data, trace.name) ?? []);
  return [
    el("div", { class: "verdicts" }, ...trace.reports.map(reportVerdict).filter(Boolean)),
    ...of("cards"),
    ...of("charts").map((chart) => section(prefix, chart)),
    ...trace.reports.map((one) => section(prefix, { id: one.report, title: one.document.title, body: documentBody(one) })),
    ...of("tables").map((table) => section(prefix, table)),
  ];
}

function page() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("main");
  const several = data.traces.length > 1;
  document.getElementById("title").textContent = data.traces.map((trace) => trace.name).join(" · ");
  const subjects = document.getElementById("subjects");
  for (const trace of data.traces) {
    subjects.append(el("p", { class: "soft" }, (several ? trace.name + ": " : "") + trace.subject),
      ...trace.losses.map((loss) => el("p", { class: "loss" }, loss)));
  }
  subjects.append(...[origin(data.context)].filter(Boolean));
  if (data.context.budget) main.append(budgetPanel(data.context.budget));
  if (data.compared) main.append(sideBySide(data.compared, data.traces));
  data.traces.forEach((trace, number) => {
    const prefix = several ? `t${number}-` : "";
    if (several) main.append(el("h1", { id: prefix + "top", class: "trace" }, trace.name));
    main.append(...traceSections(trace, prefix));
  });
  main.append(...[glossary(data.glossary)].filter(Boolean));
  document.getElementById("contents").append(contents(main, data.traces));
  document.getElementById("theme").addEventListener("click", () => theme.set(!theme.dark));
}

page();
