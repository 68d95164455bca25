//! Shader with the constants that it is usually drawn with.

use std::collections::BTreeMap;

use crate::builder::Builder;
use crate::error::ShaderError;
use crate::instruction::{SlotId, ValueId};
use crate::shader::Shader;
use crate::word::{Type, Word};

/// Shader with values of its constant slots, some of which change from frame to frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    pub shader: Shader,
    /// Number of lanes of a usual run.
    pub lanes: usize,
    constants: Vec<Word>,
    drifting: Vec<SlotId>,
}

impl Material {
    /// Default number of lanes: a thread group.
    pub const LANES: usize = 64;

    pub(crate) fn new(shader: Shader, lanes: usize, constants: Vec<Word>, drifting: Vec<SlotId>) -> Material {
        Material { shader, lanes, constants, drifting }
    }

    /// Returns the constants of a frame. Drifting constants have a different value in each of 2^20 frames; frame 0 has
    /// the original values.
    pub fn constants(&self, frame: u32) -> Vec<Word> {
        let mut constants = self.constants.clone();
        for slot in &self.drifting {
            let word = &mut constants[slot.index()];
            *word = match self.shader.function().constants[slot.index()].ty {
                // Steps of 2^-10 stay exact at the magnitude of the slots' values.
                Type::F32 => Word::from_f32(word.f32() + (frame & 0xf_ffff) as f32 / 1024.0),
                Type::I32 | Type::U32 => Word(word.0.wrapping_add(frame)),
                Type::Bool => Word(word.0 ^ frame & 1),
            };
        }
        constants
    }

    /// Returns the slots that change from frame to frame.
    pub fn drifting(&self) -> &[SlotId] {
        &self.drifting
    }

    /// Returns the slots that do not change, with their values. A profile with enough samples finds exactly these.
    pub fn stable(&self) -> BTreeMap<SlotId, Word> {
        let slots = (0..).map(SlotId).zip(self.constants.iter().copied());
        slots.filter(|(slot, _)| !self.drifting.contains(slot)).collect()
    }
}

/// Builder of a material. Each slot is declared with its value.
#[derive(Debug)]
pub(crate) struct MaterialBuilder {
    pub builder: Builder,
    pub lanes: usize,
    constants: Vec<Word>,
    drifting: Vec<SlotId>,
}

impl MaterialBuilder {
    pub fn new(name: &str) -> Self {
        Self { builder: Builder::new(name), lanes: Material::LANES, constants: Vec::new(), drifting: Vec::new() }
    }

    /// Declares and loads a constant slot.
    pub fn f32(&mut self, name: &str, number: f32) -> ValueId {
        self.constants.push(Word::from_f32(number));
        self.builder.constant(name, Type::F32)
    }

    /// Declares and loads a slot that changes from frame to frame.
    pub fn drifting_f32(&mut self, name: &str, number: f32) -> ValueId {
        self.drifting.push(SlotId(self.constants.len() as u32));
        self.f32(name, number)
    }

    /// Declares and loads a constant slot.
    pub fn u32(&mut self, name: &str, number: u32) -> ValueId {
        self.constants.push(Word(number));
        self.builder.constant(name, Type::U32)
    }

    /// Declares and loads a constant slot.
    pub fn bool(&mut self, name: &str, truth: bool) -> ValueId {
        self.constants.push(Word::from_bool(truth));
        self.builder.constant(name, Type::Bool)
    }

    /// Declares and loads three constant slots.
    pub fn vector(&mut self, name: &str, numbers: [f32; 3]) -> [ValueId; 3] {
        let named = ["x", "y", "z"].map(|axis| format!("{name}.{axis}"));
        std::array::from_fn(|axis| self.f32(&named[axis], numbers[axis]))
    }

    /// Declares consecutive slots without loading them.
    pub fn table(&mut self, name: &str, numbers: &[f32], drifts: bool) -> SlotId {
        let first = self.builder.constants(name, Type::F32, numbers.len() as u32);
        self.constants.extend(numbers.iter().map(|number| Word::from_f32(*number)));
        if drifts {
            self.drifting.extend((first.0..).map(SlotId).take(numbers.len()));
        }
        first
    }

    /// Declares and loads three f32 inputs.
    pub fn inputs(&mut self, name: &str) -> [ValueId; 3] {
        ["x", "y", "z"].map(|axis| self.builder.input(&format!("{name}.{axis}"), Type::F32))
    }

    pub fn finish(self) -> Result<Material, ShaderError> {
        let shader = self.builder.finish()?;
        let (found, expected) = (self.constants.len(), shader.function().constants.len());
        if found != expected {
            return Err(ShaderError::Arguments { what: "constants", found, expected });
        }
        Ok(Material::new(shader, self.lanes, self.constants, self.drifting))
    }
}
