//! Fields of records as debug annotations: nested structs as dictionaries, lists as arrays, codes by their names.

use super::interning::{Interning, Name, Sort};
use super::packets::{AnnotationValue, DebugAnnotation};
use super::scalar::ScalarAnnotation;
use taut_schemas::{CodecError, Decoder, EventSchema, FieldKind, ScalarSchema, SchemaTable, UNNAMED_FIELD, WAIT_FIELD};

/// Max elements of a list, and max bytes of a byte string, that are written: a viewer shows one per line.
pub const LONGEST_LIST: usize = 64;

/// Max bytes of a text that are written.
pub const LONGEST_TEXT: usize = 4096;

/// The annotations of an event's fields.
pub struct Arguments {
    fields: Vec<Node>,
}

/// A named field or struct.
struct Node {
    name: Name,
    what: What,
    /// True for the time that a call waited, which most calls do not.
    omits_zero: bool,
}

impl Node {
    fn new(name: &str, what: What) -> Node {
        Node { name: named(name), what, omits_zero: name == WAIT_FIELD }
    }
}

enum What {
    /// A struct.
    Group(Vec<Node>),
    Scalar(ScalarAnnotation),
    /// A text, with the name of its length, which is added if it is cut off.
    Text(Name),
    Bytes(Name),
    List(List),
}

struct List {
    element: Element,
    element_bytes: usize,
    /// True for an optional: its element is written without an array.
    optional: bool,
    length: Name,
}

enum Element {
    Scalar(ScalarAnnotation),
    Group(Vec<Node>),
}

impl Arguments {
    /// Creates the annotations for an event; rows must be those of the same table.
    pub fn new(schema: &SchemaTable, event: &EventSchema) -> Arguments {
        let fields = event.fields.iter().map(|field| {
            let length = || named(&format!("{}_length", field.name.rsplit('.').next().unwrap_or_default()));
            let what = match &field.kind {
                FieldKind::Scalar(scalar) => What::Scalar(ScalarAnnotation::new(schema, scalar)),
                FieldKind::Text => What::Text(length()),
                FieldKind::Bytes => What::Bytes(length()),
                FieldKind::List(columns) | FieldKind::Optional(columns) => What::List(List {
                    element: Element::new(schema, columns),
                    element_bytes: columns.iter().map(|scalar| usize::from(scalar.width_bytes)).sum(),
                    optional: matches!(field.kind, FieldKind::Optional(_)),
                    length: length(),
                }),
            };
            (field.name.as_str(), what)
        });
        Arguments { fields: grouped(fields.collect()) }
    }

    /// Converts a record to annotations.
    ///
    /// # Errors
    /// The row does not match the event's layout.
    pub fn of(&mut self, row: &[u8], interning: &mut Interning) -> Result<Vec<DebugAnnotation>, CodecError> {
        let mut decoder = Decoder::new(row);
        let annotations = group(&mut self.fields, &mut decoder, interning)?;
        decoder.finish()?;
        Ok(annotations)
    }
}

fn named(name: &str) -> Name {
    Name::new(Sort::AnnotationName, name)
}

/// Groups names that are joined by dots into structs; the fields of a struct are adjacent.
fn grouped(fields: Vec<(&str, What)>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut open: Option<(&str, Vec<(&str, What)>)> = None;
    let close = |open: &mut Option<(&str, Vec<(&str, What)>)>, nodes: &mut Vec<Node>| {
        if let Some((name, fields)) = open.take() {
            nodes.push(Node::new(name, What::Group(grouped(fields))));
        }
    };
    for (name, what) in fields {
        let Some((outer, inner)) = name.split_once('.') else {
            close(&mut open, &mut nodes);
            nodes.push(Node::new(name, what));
            continue;
        };
        match &mut open {
            Some((known, fields)) if *known == outer => fields.push((inner, what)),
            _ => {
                close(&mut open, &mut nodes);
                open = Some((outer, vec![(inner, what)]));
            }
        }
    }
    close(&mut open, &mut nodes);
    nodes
}

fn group(
    nodes: &mut [Node],
    decoder: &mut Decoder<'_>,
    interning: &mut Interning,
) -> Result<Vec<DebugAnnotation>, CodecError> {
    let mut annotations = Vec::with_capacity(nodes.len());
    for node in nodes {
        let mut annotation = DebugAnnotation { name_iid: Some(interning.name(&mut node.name)), ..Default::default() };
        let mut length = |length: usize, name: &mut Name, interning: &mut Interning| {
            let (name_iid, value) = (Some(interning.name(name)), Some(AnnotationValue::Uint(length as u64)));
            annotations.push(DebugAnnotation { name_iid, value, ..Default::default() });
        };
        match &mut node.what {
            What::Group(nodes) => annotation.dict_entries = group(nodes, decoder, interning)?,
            What::Scalar(scalar) => {
                let value = scalar.read(decoder, interning)?;
                if node.omits_zero && value == AnnotationValue::Uint(0) {
                    continue;
                }
                annotation.value = Some(value);
            }
            What::Text(name) => {
                let at = decoder.position();
                let text = std::str::from_utf8(decoder.bytes()?).map_err(|_| CodecError::Text { at })?;
                let shown = &text[..text.floor_char_boundary(LONGEST_TEXT)];
                annotation.value = Some(match interning.text(Sort::Text, shown) {
                    Some(iid) => AnnotationValue::TextIid(iid),
                    None => AnnotationValue::Text(shown.to_owned()),
                });
                if shown.len() < text.len() {
                    length(text.len(), name, interning);
                }
            }
            What::Bytes(name) => {
                let bytes = decoder.bytes()?;
                let shown = bytes.iter().take(LONGEST_LIST).map(|byte| format!("{byte:02x}"));
                annotation.value = Some(AnnotationValue::Text(shown.collect()));
                if bytes.len() > LONGEST_LIST {
                    length(bytes.len(), name, interning);
                }
            }
            What::List(list) => {
                let count = list.read(&mut annotation, decoder, interning)?;
                if count > LONGEST_LIST {
                    length(count, &mut list.length, interning);
                }
                if count == 0 {
                    // An empty array would be shown as a nameless value.
                    continue;
                }
            }
        }
        annotations.push(annotation);
    }
    Ok(annotations)
}

impl List {
    /// Reads the elements; returns their number.
    fn read(
        &mut self,
        annotation: &mut DebugAnnotation,
        decoder: &mut Decoder<'_>,
        interning: &mut Interning,
    ) -> Result<usize, CodecError> {
        let count = decoder.count(self.element_bytes)?;
        for _ in 0..count.min(LONGEST_LIST) {
            let element = self.element.read(decoder, interning)?;
            if self.optional {
                (annotation.value, annotation.dict_entries) = (element.value, element.dict_entries);
            } else {
                annotation.array_values.push(element);
            }
        }
        let rest = count.saturating_sub(LONGEST_LIST);
        decoder.raw(rest * self.element_bytes)?;
        Ok(count)
    }
}

impl Element {
    fn new(schema: &SchemaTable, columns: &[ScalarSchema]) -> Element {
        match columns {
            // The name of the element in a list of plain numbers.
            [only] if only.name == UNNAMED_FIELD => Element::Scalar(ScalarAnnotation::new(schema, only)),
            columns => {
                let column = |scalar: &ScalarSchema| What::Scalar(ScalarAnnotation::new(schema, scalar));
                Element::Group(grouped(columns.iter().map(|scalar| (scalar.name.as_str(), column(scalar))).collect()))
            }
        }
    }

    fn read(&mut self, decoder: &mut Decoder<'_>, interning: &mut Interning) -> Result<DebugAnnotation, CodecError> {
        Ok(match self {
            Element::Scalar(scalar) => {
                DebugAnnotation { value: Some(scalar.read(decoder, interning)?), ..Default::default() }
            }
            Element::Group(nodes) => {
                DebugAnnotation { dict_entries: group(nodes, decoder, interning)?, ..Default::default() }
            }
        })
    }
}
