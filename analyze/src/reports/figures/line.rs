//! Lines of figures, and what follows from them.

use super::{Parts, Unit};
use crate::reports::verdict::VERDICT;
use serde_json::Value;
use std::collections::BTreeSet;

/// The definition of a key. A key has one meaning everywhere in its report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Definition {
    pub key: &'static str,
    /// One or two sentences.
    pub meaning: &'static str,
}

/// Function that formats the largest contributors to a figure, one line each, worst first, from all figures of its report.
pub(in crate::reports) type Contributors = fn(&Value) -> Vec<String>;

/// A figure of a report.
#[derive(Debug, Clone, Copy)]
pub struct FigureLine {
    pub(in crate::reports) key: &'static str,
    pub(in crate::reports) unit: Unit,
    /// `None` if another line of the report has the sentence, and for flattened figures.
    pub(in crate::reports) meaning: Option<&'static str>,
    /// True if the figures of the value belong to the JSON object of the line.
    pub(in crate::reports) is_flat: bool,
    pub(in crate::reports) contributors: Option<Contributors>,
    pub(in crate::reports) parts: Option<Parts>,
    /// True if the figure depends on creation calls, which a snapshot does not contain.
    pub(in crate::reports) needs_creations: bool,
    /// Key before this one in the documentation, if it is not that of the line before.
    pub(in crate::reports) after: Option<&'static str>,
    /// Lines of the value or its elements.
    pub(in crate::reports) nested: &'static [FigureLine],
}

impl FigureLine {
    /// Creates a line without attributes.
    pub(in crate::reports) const fn new(key: &'static str, unit: Unit, nested: &'static [FigureLine]) -> FigureLine {
        FigureLine {
            key,
            unit,
            meaning: None,
            is_flat: false,
            contributors: None,
            parts: None,
            needs_creations: false,
            after: None,
            nested,
        }
    }

    /// Unit of the figure.
    pub fn unit(&self) -> Unit {
        self.unit
    }
}

/// Definitions of all keys in some lines, in the order of the documentation: depth first.
pub(in crate::reports) fn definitions(lines: &[FigureLine]) -> Vec<Definition> {
    let (mut found, mut moved) = (Vec::new(), Vec::new());
    collect(lines, &mut found, &mut moved);
    // A line may be moved after another moved one.
    while !moved.is_empty() {
        let before = moved.len();
        moved.retain(|(after, definition)| {
            let at = found.iter().position(|known: &Definition| known.key == *after);
            at.inspect(|at| found.insert(at + 1, *definition)).is_none()
        });
        if moved.len() == before {
            found.extend(moved.drain(..).map(|(_, definition)| definition));
        }
    }
    found
}

fn collect(lines: &[FigureLine], found: &mut Vec<Definition>, moved: &mut Vec<(&'static str, Definition)>) {
    for line in lines {
        if let Some(definition) = line.meaning.map(|meaning| Definition { key: line.key, meaning }) {
            // A struct may stand in several places.
            let is_known = found.contains(&definition) || moved.iter().any(|(_, known)| *known == definition);
            match line.after {
                _ if is_known => {}
                Some(after) => moved.push((after, definition)),
                None => found.push(definition),
            }
        }
        collect(line.nested, found, moved);
    }
}

/// Keys of all figures that are identifiers or stamps.
pub(crate) fn identifiers(lines: &'static [FigureLine]) -> BTreeSet<&'static str> {
    let is_identifier = |line: &&FigureLine| matches!(line.unit, Unit::Id | Unit::Stamp);
    let own = lines.iter().filter(is_identifier).map(|line| line.key);
    own.chain(lines.iter().flat_map(|line| identifiers(line.nested))).collect()
}

/// Lines on the way to a figure, outermost first. `place` is the path of the figure in its report: keys, and indices or
/// names of elements, which have no line.
pub(in crate::reports) fn find(lines: &'static [FigureLine], place: &str) -> Vec<&'static FigureLine> {
    let (mut here, mut found, mut is_element) = (lines, Vec::new(), false);
    for key in place.split('.') {
        // An index or a name stands for an element of a list.
        let line = if is_element { None } else { member(here, key) };
        is_element = line.is_some_and(|line| line.unit == Unit::List);
        if let Some(line) = line {
            here = line.nested;
            found.push(line);
        }
    }
    found
}

/// The line of a key in a JSON object.
fn member(lines: &'static [FigureLine], key: &str) -> Option<&'static FigureLine> {
    lines.iter().find_map(|line| match line.is_flat {
        true => member(line.nested, key),
        false => (line.key == key).then_some(line),
    })
}

/// Amounts by which resources and heaps add up to figures of this key; `None` if the key is not such a sum.
pub(in crate::reports) fn parts(lines: &'static [FigureLine], key: &str) -> Option<Parts> {
    let own = lines.iter().find(|line| line.key == key).and_then(|line| line.parts);
    own.or_else(|| lines.iter().find_map(|line| parts(line.nested, key)))
}

/// Sets the figures to null that need creation calls.
pub(in crate::reports) fn null_unknown(lines: &'static [FigureLine], value: &mut Value) {
    match value {
        Value::Object(members) => members.iter_mut().for_each(|(key, value)| match member(lines, key) {
            Some(line) if line.needs_creations => *value = Value::Null,
            Some(line) => null_unknown(line.nested, value),
            None => {}
        }),
        Value::Array(elements) => elements.iter_mut().for_each(|element| null_unknown(lines, element)),
        _ => {}
    }
}

/// Returns every key at any depth of a report's figures. The contents of the verdict are not traversed: they have the
/// same keys in all reports.
pub fn definitions_used(figures: &Value) -> BTreeSet<&str> {
    let mut keys = BTreeSet::new();
    let mut values = vec![figures];
    while let Some(value) = values.pop() {
        match value {
            Value::Object(map) => {
                keys.extend(map.keys().map(String::as_str));
                values.extend(map.iter().filter(|(key, _)| *key != VERDICT.key).map(|(_, value)| value));
            }
            Value::Array(elements) => values.extend(elements),
            _ => {}
        }
    }
    keys
}
