//! Checks of variants in draws.

use super::drawing_machine::DrawingMachine;
use super::levels::specialise_by_levels;
use crate::checks::bench::Bench;
use crate::checks::tally::{NotApplicable, Tally};
use taut_schemas::{
    BackgroundProcessingMode as Mode, DrawRun, MeasurementsAction as Action, Selection, VariantId, d3d12_ddi,
};
use taut_shaders::Word;

/// B-59: tasks have no functional effect: outputs are equal without installed variants and with all variants installed.
pub(in crate::checks) fn outputs_are_unchanged(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    let before: Vec<Vec<u64>> = (0..4).map(|frame| hashes(&mut drawing, frame)).collect();
    specialise(&mut drawing);
    for (frame, before) in (0..).zip(before) {
        let after = hashes(&mut drawing, frame);
        let differs = before.iter().zip(&after).position(|(before, after)| before != after);
        let differs =
            differs.map(|at| format!("draw {at} of frame {frame} gives other outputs once variants are installed"));
        let unlike = runs(&drawing).iter().position(|run| run.output_hash != run.generic_output_hash);
        let unlike = unlike.map(|at| format!("draw {at} of frame {frame} gives other outputs than the generic shader"));
        tally.count_result(differs.or(unlike));
    }
    Ok(tally)
}

/// B-73: draws with constants that a variant was not built for use the generic shader; every selection gives the
/// generic shader's outputs, and the selected code is what runs.
pub(in crate::checks) fn falls_back_to_generic(bench: &mut Bench<'_>) -> Result<Tally, NotApplicable> {
    let mut drawing = DrawingMachine::new(bench)?;
    let mut tally = Tally::default();
    specialise(&mut drawing);
    let mut served = 0;
    // Later frames have other values in slots that the commit of one frame has folded.
    for frame in [0, 1, 2, 0] {
        drawing.submit(frame, 1);
        let selected: Vec<_> = drawing.answers::<d3d12_ddi::ExecuteCommandLists>().into_iter().flatten().collect();
        served += selected.iter().filter(|selection| selection.variant != VariantId::NULL).count();
        drawing.complete();
        judge(&drawing, &selected, &format!("frame {frame}"), &mut tally);
    }
    if served == 0 {
        return Err(NotApplicable("the driver installs no variant".to_owned()));
    }
    materials(&mut DrawingMachine::new(bench)?, &mut tally);
    levels(&mut DrawingMachine::new(bench)?, &mut tally);
    Ok(tally)
}

/// Checks that the selected code ran and gave the generic shader's outputs.
fn judge(drawing: &DrawingMachine<'_>, selected: &[Selection], what: &str, tally: &mut Tally) {
    for (selection, run) in selected.iter().zip(runs(drawing)) {
        let (selected, ran) = (selection.variant.0, run.variant.0);
        let wrong = run.output_hash != run.generic_output_hash || selected != ran;
        tally.count_result(wrong.then(|| {
            let (pipeline, hash) = (run.pipeline_state.0, run.output_hash);
            format!("pipeline state {pipeline}, {what}: variant {selected} selected, {ran} gave {hash:016x}")
        }));
    }
}

/// Draws two materials in turns with one pipeline state, and then others that share one of their slots, but not all.
fn materials(drawing: &mut DrawingMachine<'_>, tally: &mut Tally) {
    let Some(at) = drawing.pipelines.iter().position(|(_, material, _)| material.shader.name() == "permutations")
    else {
        return;
    };
    let one = drawing.pipelines[at].1.constants(0);
    // Slots with two values in the frames of both materials, the first slots first.
    let other: Vec<Word> =
        one.iter().map(|word| if word.0 < 2 { Word(1 - word.0) } else { Word(word.0 ^ 1) }).collect();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    for _ in 0..4 {
        drawing.submit_with(&[(at, one.clone()), (at, other.clone())], 1);
        drawing.complete();
    }
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    drawing.drain();
    let mixed = |slots: usize| [&one[..slots], &other[slots..]].concat();
    let drawn: Vec<_> =
        [one.clone(), other.clone()].into_iter().chain((1..one.len()).map(mixed)).map(|words| (at, words)).collect();
    drawing.submit_with(&drawn, 1);
    let selected: Vec<_> = drawing.answers::<d3d12_ddi::ExecuteCommandLists>().into_iter().flatten().collect();
    drawing.complete();
    judge(drawing, &selected, "mixed materials", tally);
}

/// Draws with constants for which the variant holds, but not the variant that it was specialised from: they must use
/// another shader as well.
fn levels(drawing: &mut DrawingMachine<'_>, tally: &mut Tally) {
    let Some(drawn) = specialise_by_levels(drawing) else { return };
    drawing.submit_with(&drawn, 1);
    let selected: Vec<_> = drawing.answers::<d3d12_ddi::ExecuteCommandLists>().into_iter().flatten().collect();
    drawing.complete();
    judge(drawing, &selected, "a variant specialised further", tally);
}

/// Specialises everything that one frame shows.
fn specialise(drawing: &mut DrawingMachine<'_>) {
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    drawing.draw(0, 2);
    drawing.set(Mode::ALLOWED, Action::COMMIT_RESULTS);
    drawing.drain();
}

fn runs(drawing: &DrawingMachine<'_>) -> Vec<DrawRun> {
    drawing.calls::<d3d12_ddi::CollectMeasurements>().into_iter().flat_map(|measured| measured.runs).collect()
}

fn hashes(drawing: &mut DrawingMachine<'_>, frame: u32) -> Vec<u64> {
    drawing.draw(frame, 1);
    runs(drawing).iter().map(|run| run.output_hash).collect()
}
