//! Shaders that come with the crate.

mod exposure;
mod fractal;
mod lighting;
mod particle;
mod permutations;
mod skinning;
mod tone_map;

use crate::error::ShaderError;
use crate::material::Material;

/// Expected effect of specialising the stable slots on the number of executed instructions over the usual grid, guard
/// included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// A saving of at least a number of permille.
    Gain {
        /// Minimum saving in permille.
        min_permille: i64,
    },
    /// No slot is worth a guard; the variant is the shader itself.
    Nothing,
    /// The variant is shorter, but its guard costs more than it saves.
    Loss,
}

/// A shader that the crate contains.
#[derive(Debug, Clone, Copy)]
pub struct Bundled {
    /// Name on the command line.
    pub name: &'static str,
    /// Purpose of the shader.
    pub purpose: &'static str,
    /// Expected effect of specialisation, measured by a test.
    pub expected: Expected,
    make: fn() -> Result<Material, ShaderError>,
}

impl Bundled {
    /// Builds the shader and its constants.
    ///
    /// # Errors
    /// No error in practice, because a test builds all bundled shaders.
    pub fn material(&self) -> Result<Material, ShaderError> {
        (self.make)()
    }

    /// Returns the bundled shader with this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BUNDLED.iter().find(|bundled| bundled.name == name)
    }
}

/// All bundled shaders.
pub const BUNDLED: &[Bundled] = &[
    Bundled {
        name: "lighting",
        purpose: "four point lights, specular highlights and fog: many constants, some of which switch features or set counts",
        expected: Expected::Gain { min_permille: 500 },
        make: lighting::material,
    },
    Bundled {
        name: "tone-map",
        purpose: "a filmic curve whose white point and exponents depend on constants only",
        expected: Expected::Gain { min_permille: 80 },
        make: tone_map::material,
    },
    Bundled {
        name: "skinning",
        purpose: "a bone palette that changes in every frame, and a number of influences that stays the same",
        expected: Expected::Gain { min_permille: 300 },
        make: skinning::material,
    },
    Bundled {
        name: "fractal-noise",
        purpose: "a loop with a constant trip count: its amplitudes and frequencies fold after unrolling",
        expected: Expected::Gain { min_permille: 50 },
        make: fractal::material,
    },
    Bundled {
        name: "permutations",
        purpose: "one shader with all features, as engines use to avoid compiling thousands of permutations",
        expected: Expected::Gain { min_permille: 400 },
        make: permutations::material,
    },
    Bundled {
        name: "particle-step",
        purpose: "every constant is combined with an input immediately: specialisation gains nothing",
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
