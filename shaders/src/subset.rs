//! Which slots of a guard are worth asking for.

use std::collections::BTreeMap;

use crate::error::ShaderError;
use crate::instruction::SlotId;
use crate::shader::Shader;
use crate::specialise::{Unrolling, specialise};
use crate::variant::Guard;
use crate::word::Word;

/// Guards of more slots are not looked at: each slot costs a specialisation.
const MOST_SLOTS: usize = 64;

/// Slots are left out so often.
const MOST_ROUNDS: u32 = 8;

/// The slots of a guard whose values save more than asking for them costs, with so many lanes and every loop at its bound; each is
/// judged by what is lost without it alone. None if these are all slots or none of them.
///
/// # Errors
/// A slot that the shader does not declare.
pub fn cheaper(shader: &Shader, guard: &Guard, lanes: u64) -> Result<Option<BTreeMap<SlotId, Word>>, ShaderError> {
    if guard.values().len() > MOST_SLOTS {
        return Ok(None);
    }
    let all: BTreeMap<SlotId, Word> = guard.values().iter().copied().collect();
    let executed = |values: &BTreeMap<SlotId, Word>| -> Result<u64, ShaderError> {
        Ok(specialise(shader, values, Unrolling::default())?.shader.most_executed().saturating_mul(lanes))
    };
    let mut kept = all.clone();
    // What is left out makes others worth less.
    for _ in 0..MOST_ROUNDS {
        let (whole, before) = (executed(&kept)?, kept.clone());
        for slot in before.keys() {
            let mut without = before.clone();
            without.remove(slot);
            if executed(&without)?.saturating_sub(whole) <= Guard::COST_PER_SLOT {
                kept.remove(slot);
            }
        }
        if kept.len() == before.len() {
            break;
        }
    }
    Ok((!kept.is_empty() && kept.len() < all.len()).then_some(kept))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{Gain, Material, Type};

    /// A switch that saves much, and four slots that save two instructions each: a load and a sum.
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
        let kept = cheaper(&shader, &variant.guard, 1).unwrap().unwrap();
        assert!(kept.contains_key(&SlotId(0)) && kept.len() < 5, "{kept:?}");
        let fewer = specialise(&shader, &kept, Unrolling::default()).unwrap();
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
