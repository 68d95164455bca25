//! Checks of variants that are specialised further: the guard of the base variant must hold as well.

use super::drawing_machine::DrawingMachine;
use taut_schemas::{BackgroundProcessingMode as Mode, MeasurementsAction as Action};
use taut_shaders::{Builder, Shader, ShaderError, Trips, Type, Word};

/// Number of trips of the loop.
const TRIPS: u32 = 12;

/// Instructions of a trip that only the detail needs.
const DETAIL: u32 = 180;

/// Number of commits: one per level, and one more.
const ROUNDS: u32 = 3;

/// Returns a shader with a loop that is too long to be unrolled, mostly because of a detail: specialised with the
/// detail off, the loop is short enough, and then each trip's weight is a constant.
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

/// Specialises a shader as often as the driver does. Returns draws with the constants of the specialisation, and with
/// constants that violate one step's guard each. `None` if the shader is rejected.
pub(super) fn specialise_by_levels(drawing: &mut DrawingMachine<'_>) -> Option<[(usize, Vec<Word>); 3]> {
    let at = long_loop().ok().and_then(|shader| drawing.add(&shader, 4))?;
    let weights = (0..TRIPS).map(|nth| Word::from_f32(1.0 + nth as f32 / 8.0));
    let own: Vec<Word> = std::iter::once(Word::from_bool(false)).chain(weights).collect();
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
    let others = (other(0, Word::from_bool(true)), other(1, Word::from_f32(0.5)));
    Some([(at, own), others.0, others.1])
}
