//! The shaders that come with the crate.

mod exposure;
mod fractal;
mod lighting;
mod particle;
mod permutations;
mod skinning;
mod tone_map;

use crate::error::ShaderError;
use crate::material::Material;

/// What specialisation for the stable slots does to the instructions executed over the usual grid, guard included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Saves at least so many thousandths.
    Gain {
        /// The least saved.
        least_permille: i64,
    },
    /// No slot is worth a guard; the variant is the shader itself.
    Nothing,
    /// The variant is shorter, but its guard costs more than that saves.
    Loss,
}

/// One of the shaders that come with the crate.
#[derive(Debug, Clone, Copy)]
pub struct Bundled {
    /// As users type it.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// What is known of its specialisation; a test measures it.
    pub expected: Expected,
    make: fn() -> Result<Material, ShaderError>,
}

impl Bundled {
    /// The shader and its constants.
    ///
    /// # Errors
    /// None: a test makes them all.
    pub fn material(&self) -> Result<Material, ShaderError> {
        (self.make)()
    }

    /// The bundled shader of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BUNDLED.iter().find(|bundled| bundled.name == name)
    }
}

/// All of them.
pub const BUNDLED: &[Bundled] = &[
    Bundled {
        name: "lighting",
        purpose: "four point lights, highlights and fog: many constants, of which features and counts are switches",
        expected: Expected::Gain { least_permille: 500 },
        make: lighting::material,
    },
    Bundled {
        name: "tone-map",
        purpose: "a filmic curve whose white point and exponents are computed from constants alone",
        expected: Expected::Gain { least_permille: 80 },
        make: tone_map::material,
    },
    Bundled {
        name: "skinning",
        purpose: "a palette of bones that moves in every frame, and a number of influences that does not",
        expected: Expected::Gain { least_permille: 300 },
        make: skinning::material,
    },
    Bundled {
        name: "fractal-noise",
        purpose: "a loop of constant trip count: its amplitudes and frequencies fold once it is unrolled",
        expected: Expected::Gain { least_permille: 50 },
        make: fractal::material,
    },
    Bundled {
        name: "permutations",
        purpose: "one shader for all features, as engines build them to avoid compiling thousands",
        expected: Expected::Gain { least_permille: 400 },
        make: permutations::material,
    },
    Bundled {
        name: "particle-step",
        purpose: "every constant meets an input at once: specialisation has nothing to gain",
        expected: Expected::Nothing,
        make: particle::material,
    },
    Bundled {
        name: "exposure-resolve",
        purpose: "a single lane that sums many constants: the guard costs more than the sum",
        expected: Expected::Loss,
        make: exposure::material,
    },
];
