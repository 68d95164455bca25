// Charts of instructions per frame, variants in use and concurrent tasks.

function ratios(part, of) { return part.map((value, index) => of[index] ? value / of[index] : null); }

function frameAxis(curve) { return countAxis("frame", "frame", curve.frame); }

// Marks of the starts of passes and of the driver's last answer. Frames after the last answer can be measured.
function passMarks(curve) {
  const starts = curve.pass.map((pass, index) => [pass, index]).filter(([pass, index]) => index > 0 && pass !== curve.pass[index - 1]);
  const passes = starts.map(([pass, index]) => ({ index, label: starts.length > 30 ? "" : `pass ${grouped(pass)}`, color: "soft" }));
  if (curve.measured_from === null) return passes;
  const label = curve.last_answer === false ? "answer FALSE: measured from here" : "last answer TRUE: not stable";
  const answer = { index: curve.measured_from, label, color: curve.last_answer === false ? "requested" : "padding" };
  return [...passes.filter(({ index }) => index !== answer.index), answer].sort((one, other) => one.index - other.index);
}

function convergenceCharts(curve, trace) {
  const marks = passMarks(curve);
  const command = (index) => dumpAround(trace, curve.stamps[index]);
  const describe = (index) => `frame ${grouped(curve.frame[index])}, pass ${grouped(curve.pass[index])}\n`
    + `${grouped(curve.executed[index])} instructions (generic shaders: ${grouped(curve.generic_executed[index])}), ${countText(curve.variants[index], "variant")} in use`;
  const costs = lineChart({ title: "Instructions and draws with a variant, by frame", xs: [frameAxis(curve)], y: VALUES.share("share"), describe, marks, command, series: [
    { label: "instructions, relative to the generic shaders", color: "allocated", values: ratios(curve.executed, curve.generic_executed) },
    { label: "draws with a variant", color: "requested", values: ratios(curve.variant_draws, curve.draws) },
  ] });
  const variants = lineChart({ title: "Variants in use", xs: [frameAxis(curve)], y: VALUES.count("variants"), describe, marks, command,
    series: [{ label: "variants in use", color: "total", values: curve.variants }] });
  return el("div", {}, costs, variants);
}

// Number of concurrent tasks, at idle priority and above idle priority.
function concurrencyChart(background) {
  const steps = [[0, 0, 0], ...background.running];
  steps.push([background.end, ...steps[steps.length - 1].slice(1)]);
  const at = steps.map(([moment]) => moment);
  const line = (label, color, place) => ({ label, color, values: steps.map((step) => step[place]) });
  return lineChart({ title: "Concurrent tasks", xs: [timeAxis(at, background.unit)], y: VALUES.count("tasks"),
    describe: (index) => clocked(at[index], background.unit),
    series: [line("at idle priority", "allocated", 1), line("above idle priority", "padded", 2)] });
}

// Chart of several traces: instructions of each frame relative to the generic shaders.
function convergenceCompared(traces) {
  const curves = traces.map(({ page_data: data }) => data.curve);
  const frames = [...new Set(curves.flatMap((curve) => curve.frame))].sort((a, b) => a - b);
  const series = traces.map(({ name, page_data: { curve } }, number) => {
    const shares = new Map(ratios(curve.executed, curve.generic_executed).map((share, index) => [curve.frame[index], share]));
    return { label: name, color: traceColor(number), width: lineWidth(number, traces), values: frames.map((frame) => shares.get(frame) ?? null) };
  });
  return lineChart({ title: "Instructions relative to the generic shaders, side by side", series,
    xs: [countAxis("frame", "frame", frames)], y: VALUES.share("instructions"), describe: (index) => `frame ${grouped(frames[index])}` });
}
