// View of the background processing report: instructions per frame, and tasks over time.

REPORTS.pgo = {
  charts(background, trace) {
    const { curve, tasks, of_tasks: all, starts_in_mid_stream: later } = background;
    const charts = [];
    if (curve.frame.length) {
      charts.push({ id: "convergence", title: "Instructions per frame", body: convergenceCharts(curve, trace),
        note: "Instructions executed by the draws of each frame, relative to the generic shaders (100 %), and the number of variants in use; dashed lines are passes"
          + (later ? ". Variants installed before the recording began are not counted." : ".") });
    }
    charts.push({ id: "background", title: "Background tasks over time",
      note: "Passes, frames, and the tasks of each worker. A pointer over a bar shows the task."
        + (all > tasks.length ? ` The chart shows the first ${grouped(tasks.length)} of ${grouped(all)} tasks.` : ""),
      body: el("div", {}, taskTimeline(background, trace), background.running.length ? concurrencyChart(background) : null) });
    return charts;
  },
  compared(traces) {
    const drawing = traces.filter(({ page_data: data }) => data.curve.frame.length);
    return drawing.length > 1 ? [convergenceCompared(drawing)] : [];
  },
};
