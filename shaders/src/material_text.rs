//! Materials as TOML files.

use serde::Deserialize;
use std::fmt;
use std::ops::Range;
use thiserror::Error;
use toml::{Spanned, Value};

use crate::error::ShaderError;
use crate::function::{Declaration, Function};
use crate::grid::Grid;
use crate::instruction::{Instruction, SlotId, ValueId};
use crate::material::Material;
use crate::word::{Type, Word};

/// Error in a material's text.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{origin}{}: {what}", Position(*.position))]
pub struct MaterialError {
    /// Name of the text, usually its path.
    pub origin: String,
    /// Line and column, both from 1, if known.
    pub position: Option<(usize, usize)>,
    /// Found and expected values.
    pub what: String,
}

struct Position(Option<(usize, usize)>);

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |(line, column)| write!(f, ":{line}:{column}"))
    }
}

/// Tables of the text: a [`Function`] whose constants have values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    lanes: Option<Spanned<usize>>,
    #[serde(default)]
    constants: Vec<Slot>,
    #[serde(default)]
    inputs: Vec<Declaration>,
    body: Vec<Spanned<Instruction>>,
    outputs: Spanned<Vec<ValueId>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Slot {
    name: String,
    ty: Type,
    value: Spanned<Value>,
    #[serde(default)]
    drifts: bool,
}

impl Material {
    /// Parses a material from TOML: a [`Function`] in which each constant has a `value` and may have `drifts = true`,
    /// and `lanes`, 64 by default. Errors name the text `origin`.
    ///
    /// # Errors
    /// The text is no TOML or has another structure; a value does not fit its constant's type; the number of lanes is 0
    /// or more than a [`Grid`] may have; the function breaks a rule of the form ([`ShaderError`]).
    pub fn parse(text: &str, origin: &str) -> Result<Material, MaterialError> {
        // Some editors write a byte-order mark.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let error = |span: Option<Range<usize>>, what: String| {
            let position = span.map(|span| position(text, span.start));
            MaterialError { origin: origin.to_owned(), position, what }
        };
        let read: Text = toml::from_str(text).map_err(|wrong| error(wrong.span(), wrong.message().to_owned()))?;
        let Text { name, lanes, constants, inputs, body, outputs } = read;
        let lane_count = lanes.as_ref().map_or(Material::LANES, |lanes| *lanes.get_ref());
        if lane_count == 0 || lane_count > Grid::MAX_LANES {
            let what = format!("lanes: found {lane_count}, expected 1 to {}", Grid::MAX_LANES);
            return Err(error(lanes.map(|lanes| lanes.span()), what));
        }
        let (mut declared, mut words, mut drifting) = (Vec::new(), Vec::new(), Vec::new());
        for (slot, Slot { name, ty, value, drifts }) in (0..).map(SlotId).zip(constants) {
            let word = word(value.get_ref(), ty);
            words.push(word.ok_or_else(|| {
                let what = format!("constant {name}: found {}, expected a value of type {ty}", value.get_ref());
                error(Some(value.span()), what)
            })?);
            drifting.extend(drifts.then_some(slot));
            declared.push(Declaration { name, ty });
        }
        let mut spans: Vec<Range<usize>> = body.iter().map(Spanned::span).collect();
        spans.push(outputs.span());
        let body = body.into_iter().map(Spanned::into_inner).collect();
        let function = Function { name, constants: declared, inputs, body, outputs: outputs.into_inner() };
        let wrong =
            |wrong: ShaderError| error(wrong.instruction().and_then(|at| spans.get(at).cloned()), wrong.to_string());
        Ok(Material::new(function.check().map_err(wrong)?, lane_count, words, drifting))
    }
}

/// Returns line and column, both from 1, of a byte.
fn position(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Returns the bits of a value; `None` if the type has no such value.
fn word(value: &Value, ty: Type) -> Option<Word> {
    match (ty, value) {
        (Type::F32, Value::Float(number)) => Some(Word::from_f32(*number as f32)),
        (Type::F32, Value::Integer(number)) => Some(Word::from_f32(*number as f32)),
        (Type::I32, Value::Integer(number)) => i32::try_from(*number).ok().map(Word::from_i32),
        (Type::U32, Value::Integer(number)) => u32::try_from(*number).ok().map(Word),
        (Type::Bool, Value::Boolean(truth)) => Some(Word::from_bool(*truth)),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::interpret::interpret;

    const GLOW: &str = include_str!("../../testdata/glow.toml");

    #[test]
    fn the_example_is_read_and_runs() {
        let material = Material::parse(GLOW, "glow.toml").unwrap();
        assert_eq!((material.shader.name(), material.lanes), ("glow", 32));
        assert_eq!(material.drifting().len(), 1);
        let grid = Grid::sample(&material.shader, material.lanes, 1).unwrap();
        let [first, second] =
            [0, 1].map(|frame| interpret(&material.shader, &material.constants(frame), &grid).unwrap());
        assert_ne!(first.output_hash(), second.output_hash());
    }

    /// One text with one change each, and the expected error.
    #[test]
    fn errors_are_reported_with_their_position() {
        let errors = [
            ("name = \"glow\"", "name = "),
            ("lanes = 32", "lanes = 5000"),
            ("lanes = 32", "lane = 32"),
            ("value = 1.5", "value = true"),
            ("value = 3,", "value = -3,"),
            ("input = { input = 0 }", "input = { input = 7 }"),
            ("constant = { slot = 2 }", "constant = { slot = 9 }"),
            ("trips = { dynamic = { count = 2, bound = 8 } }", "trips = { dynamic = { count = 2, bound = 4000000 } }"),
            ("trips = { dynamic = { count = 2, bound = 8 } }", "trips = \"for_ever\""),
            ("next = [10]", "next = [12]"),
            ("next = [10]", "next = []"),
            ("outputs = [12]", "outputs = [10]"),
            ("op = \"mul\"", "op = \"pow\""),
        ];
        let errors = errors.map(|(good, bad)| {
            assert_eq!(GLOW.matches(good).count(), 1, "{good}");
            format!("{bad}\n    {}", Material::parse(&GLOW.replace(good, bad), "glow.toml").unwrap_err())
        });
        insta::assert_snapshot!(errors.join("\n"));
    }
}
