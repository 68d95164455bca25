// The report on background processing: convergence, and what the workers did.

REPORTS.pgo = {
  charts(background, trace) {
    const { curve, tasks, of_tasks: all, starts_in_mid_stream: later } = background;
    const charts = [];
    if (curve.frame.length) {
      charts.push({ id: "convergence", title: "Convergence", body: convergenceCharts(curve, trace),
        note: "Instructions that the draws of each frame executed, where the generic shaders' are 100 %, and the variants in use; dashed lines are passes"
          + (later ? ", except those installed before the recording began." : ".") });
    }
    charts.push({ id: "background", title: "Background tasks over time",
      note: "Passes, frames and what each worker did. Point at a bar to see which task it is."
        + (all > tasks.length ? ` Drawn are the first ${grouped(tasks.length)} of ${grouped(all)} tasks.` : ""),
      body: el("div", {}, taskTimeline(background, trace), background.running.length ? concurrencyChart(background) : null) });
    return charts;
  },
  compared(traces) {
    const drawing = traces.filter(({ page_data: data }) => data.curve.frame.length);
    return drawing.length > 1 ? [convergenceCompared(drawing)] : [];
  },
};
