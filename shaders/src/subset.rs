//! Selection of the slots of a guard that are worth testing.

use std::collections::BTreeMap;

use crate::error::ShaderError;
use crate::instruction::SlotId;
use crate::shader::Shader;
use crate::specialise::{Unrolling, specialise};
use crate::variant::Guard;
use crate::word::Word;

/// Maximum number of slots of an examined guard: each slot costs a specialisation.
const MAX_SLOTS: usize = 64;

/// Maximum number of rounds of slot removal.
const MAX_ROUNDS: u32 = 8;

/// Returns the slots of a guard whose values save more than testing them costs, for `lanes` lanes and with every loop
/// at its bound; each slot is judged by the loss without it alone. `None` if these are all slots or none.
///
/// # Errors
/// A slot that the shader does not declare.
pub fn cheaper(shader: &Shader, guard: &Guard, lanes: u64) -> Result<Option<BTreeMap<SlotId, Word>>, ShaderError> {
    if guard.values().len() > MAX_SLOTS {
        return Ok(None);
    }
    let all: BTreeMap<SlotId, Word> = guard.values().iter().copied().collect();
    let executed = |values: &BTreeMap<SlotId, Word>| -> Result<u64, ShaderError> {
        Ok(specialise(shader, values, Unrolling::default())?.shader.max_executed().saturating_mul(lanes))
    };
    let mut remaining = all.clone();
    // Removing a slot may make others less useful.
    for _ in 0..MAX_ROUNDS {
        let (whole, before) = (executed(&remaining)?, remaining.clone());
        for slot in before.keys() {
            let mut without = before.clone();
            without.remove(slot);
            if executed(&without)?.saturating_sub(whole) <= Guard::COST_PER_SLOT {
                remaining.remove(slot);
            }
        }
        if remaining.len() == before.len() {
            break;
        }
    }
    Ok((!remaining.is_empty() && remaining.len() < all.len()).then_some(remaining))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Gain, Material, Type};

    /// Returns a shader with a switch that saves much, and four slots that save two instructions each: a load and a
    /// sum.
    fn shader() -> Shader {
        let mut builder = crate::Builder::new("mixed");
        let on = builder.constant("on", Type::Bool);
        let weights: Vec<_> = (0..4).map(|nth| builder.constant(&format!("weight.{nth}"), Type::F32)).collect();
        let x = builder.input("x", Type::F32);
        let mut heavy = x;
        for _ in 0..40 {
            heavy = builder.mul(heavy, x);
        }
        let sum = weights[1..].iter().fold(weights[0], |sum, weight| builder.add(sum, *weight));
        let chosen = builder.select(on, heavy, x);
        let out = builder.add(chosen, sum);
        builder.output(out);
        builder.finish().unwrap()
    }

    #[test]
    fn slots_that_cost_as_much_as_they_save_are_left_out() {
        let shader = shader();
        let all: BTreeMap<_, _> = (0..5).map(|slot| (SlotId(slot), Word(0))).collect();
        let variant = specialise(&shader, &all, Unrolling::default()).unwrap();
        assert_eq!(variant.guard.values().len(), 5);
        let remaining = cheaper(&shader, &variant.guard, 1).unwrap().unwrap();
        assert!(remaining.contains_key(&SlotId(0)) && remaining.len() < 5, "{remaining:?}");
        let fewer = specialise(&shader, &remaining, Unrolling::default()).unwrap();
        let saved = |variant| Gain::estimate(&shader, variant, 1).permille();
        assert!(saved(&fewer) >= saved(&variant), "{} against {}", saved(&fewer), saved(&variant));
        assert_eq!(cheaper(&shader, &fewer.guard, 1).unwrap(), None, "there is nothing more to leave out");
    }

    #[test]
    fn an_estimate_of_a_shader_without_loops_is_what_is_executed() {
        for name in ["permutations", "tone-map"] {
            let Material { shader, lanes, .. } = crate::Bundled::named(name).unwrap().material().unwrap();
            let grid = crate::Grid::sample(&shader, lanes, 1).unwrap();
            let material = crate::Bundled::named(name).unwrap().material().unwrap();
            let constants = material.constants(0);
            let values = (0..).map(SlotId).zip(constants.iter().copied()).collect();
            let variant = specialise(&shader, &values, Unrolling::default()).unwrap();
            let measured = Gain::measure(&shader, &variant, &constants, &grid).unwrap();
            assert_eq!(Gain::estimate(&shader, &variant, lanes as u64), measured, "{name}");
        }
    }
}
