//! Variants that are specialised further: what their shaders were made of asks for its own constants, and so must they.

use super::drawing::judge;
use super::drawing_machine::DrawingMachine;
use crate::conformance::tally::Tally;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action, d3d12_ddi};
use taut_shaders::{Builder, Shader, ShaderError, Trips, Type, Word};

/// Trips of the loop.
const TRIPS: u32 = 12;

/// Instructions of a trip that are for the detail alone.
const DETAIL: u32 = 180;

/// Commits: one for each level, and one more.
const ROUNDS: u32 = 3;

/// A loop whose trips are too long to be unrolled, most of it for a detail: specialised for that being off, it is short
/// enough, and then each trip's weight is a constant.
fn long_loop() -> Result<Shader, ShaderError> {
    let mut builder = Builder::new("long-loop");
    let detail = builder.constant("detail", Type::Bool);
    let weights = builder.constants("weight", Type::F32, TRIPS);
    let x = builder.input("x", Type::F32);
    let zero = builder.f32(0.0);
    let [sum] = builder.repeat(Trips::Constant(TRIPS), [zero], |builder, trip, [sum]| {
        let weight = builder.load_at(weights, TRIPS, trip);
        let fine = (0..DETAIL).fold(x, |fine, _| builder.mul(fine, weight));
        let value = builder.select(detail, fine, x);
        let scaled = builder.mul(weight, weight);
        [builder.fma(value, scaled, sum)]
    });
    builder.output(sum);
    builder.finish()
}

/// B-73 of a variant of a variant: constants that only the one it was made of was not built for get another shader, too.
pub(super) fn levels(drawing: &mut DrawingMachine<'_>, tally: &mut Tally) {
    let Some(at) = long_loop().ok().and_then(|shader| drawing.add(&shader, 4)) else { return };
    let weights = (0..TRIPS).map(|nth| Word::of_f32(1.0 + nth as f32 / 8.0));
    let own: Vec<Word> = std::iter::once(Word::of_bool(false)).chain(weights).collect();
    drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::DISCARD_PREVIOUS);
    for _ in 0..ROUNDS {
        drawing.submit_with(&[(at, own.clone())], 4);
        drawing.complete();
        drawing.set(Mode::ALLOW_INTRUSIVE_MEASUREMENTS, Action::COMMIT_RESULTS);
        drawing.drain();
    }
    let other = |slot: usize, word: Word| {
        let mut words = own.clone();
        words[slot] = word;
        (at, words)
    };
    let drawn = [(at, own.clone()), other(0, Word::of_bool(true)), other(1, Word::of_f32(0.5))];
    drawing.submit_with(&drawn, 1);
    let selected: Vec<_> = drawing.answers::<d3d12_ddi::ExecuteCommandLists>().into_iter().flatten().collect();
    drawing.complete();
    judge(drawing, &selected, "a variant specialised further", tally);
}
