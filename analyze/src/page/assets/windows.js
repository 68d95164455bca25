// View of the report on an imported trace of Windows: presents by process and path, and over time.

const PRESENT_COLORS = { unknown: "padding" };

function presentColor(path) { return PRESENT_COLORS[path] ?? "allocated"; }

function presentName(group) {
  const process = group.process_name ?? (group.process === null ? "unknown process" : `process ${group.process}`);
  return `${process}, ${group.path}`;
}

function presentBars(groups) {
  const text = (group) => `${countText(group.presents, "present")}`
    + (group.interval_ms_p50 === null ? "" : `, p50 ${time(group.interval_ms_p50)}, p99 ${time(group.interval_ms_p99)}`);
  return barChart({ title: "Presents by process and path", text: (value) => countText(value, "present"),
    rows: groups.slice(0, 20).map((group) => ({ name: presentName(group), text: text(group),
      parts: [{ color: presentColor(group.path), label: group.path, value: group.presents }] })) });
}

const PRESENT_ROW = { wide: 900, high: 18 };

// A row for each process and path, with a line at the start of each present.
function presentTimeline(rows) {
  const space = "http://www.w3.org/2000/svg";
  const element = (name, attributes) => {
    const node = document.createElementNS(space, name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    return node;
  };
  const end = Math.max(1, ...rows.map((row) => row.points.at(-1)?.[0] ?? 0));
  const picture = element("svg", { viewBox: `0 0 ${PRESENT_ROW.wide} ${rows.length * PRESENT_ROW.high}` });
  rows.forEach((row, index) => row.points.forEach(([at]) => {
    const x = at / end * (PRESENT_ROW.wide - 1);
    picture.append(element("rect", { x, y: index * PRESENT_ROW.high + 2, width: 1, height: PRESENT_ROW.high - 4, style: `fill: var(--${presentColor(row.path)})` }));
  }));
  const name = (row) => `process ${row.process}, ${row.path}`;
  const max = (row) => row.points.reduce((longest, [, interval]) => Math.max(longest, interval), 0);
  return chartFigure({ title: "Starts of presents over time", picture,
    summary: `From the top: ${rows.map(name).join("; ")}. The width is ${time(end)}.`,
    headings: figureHeadings("", "Presents", "Longest interval"),
    rows: rows.map((row) => [name(row), grouped(row.points.length + row.left_out), time(max(row))]) });
}

REPORTS.windows = {
  charts({ presents, timeline }) {
    if (!presents?.length) return [];
    const charts = [{ id: "windows-presents", title: "Presents by process and path", body: presentBars(presents),
      note: "A path is unknown if the events that decide it are not in the trace." }];
    const rows = (timeline ?? []).filter((row) => row.points.length);
    if (rows.length) charts.push({ id: "windows-timeline", title: "Presents over time", body: presentTimeline(rows),
      note: "A line for each present that follows another one of its swap chain, window and source." });
    return charts;
  },
  compared: () => [],
};
