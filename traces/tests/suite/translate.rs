//! Translation of rows of one layout to another, by field name.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::generate;

use generate::{Random, event, row, scalar, table};
use proptest::prelude::*;
use taut_schemas::{EventSchema, FieldKind, FieldSchema, Opcode, Role, ScalarSchema, SchemaTable};
use taut_traces::{RowPlan, fields};

fn field(name: &str, kind: FieldKind) -> FieldSchema {
    FieldSchema { name: name.into(), doc: String::new(), kind }
}

fn number(name: &str, width_bytes: u8, in_list: bool) -> ScalarSchema {
    scalar(name.into(), width_bytes, Role::Value, in_list)
}

fn event_with(fields: Vec<FieldSchema>) -> EventSchema {
    event(1, Opcode::Info, fields)
}

fn json(event: &EventSchema, row: &[u8]) -> Vec<String> {
    let table = SchemaTable { events: vec![event.clone()].into(), ..SchemaTable::default() };
    let fields = fields(&table, event.code, row).unwrap();
    fields.iter().map(|(name, value)| format!("{name}={}", serde_json::to_string(value).unwrap())).collect()
}

#[test]
fn fields_added_later_get_their_defaults_and_the_rest_keeps_its_values() {
    let number_field = |name, width| field(name, FieldKind::Scalar(number(name, width, false)));
    let old_list = vec![number("a", 2, true), number("b", 1, true)];
    let old =
        event_with(vec![number_field("x", 4), field("l", FieldKind::List(old_list)), field("t", FieldKind::Text)]);
    let new_list = vec![number("b", 1, true), number("c", 8, true), number("a", 2, true)];
    let new = event_with(vec![
        field("t", FieldKind::Text),
        field("added", FieldKind::Text),
        number_field("x", 4),
        number_field("later", 8),
        field("l", FieldKind::List(new_list)),
        field("o", FieldKind::Optional(vec![number("value", 1, true)])),
    ]);
    let plan = RowPlan::new(&old, &new).unwrap();
    assert!(!plan.is_identity());
    let row = b"\x07\0\0\0\x02\0\0\0\x01\0\x02\x03\0\x04\x02\0\0\0ab";
    let mut out = vec![9; 3];
    plan.apply(row, &mut out).unwrap();
    let l = r#"l=[{"b":2,"c":0,"a":1},{"b":4,"c":0,"a":3}]"#;
    assert_eq!(json(&new, &out), [r#"t="ab""#, r#"added="""#, "x=7", "later=0", l, "o=[]"]);
    assert!(plan.apply(&row[..row.len() - 1], &mut out).is_err());
    assert!(plan.apply(&[row.as_slice(), &[0]].concat(), &mut out).is_err());
}

#[test]
fn a_field_that_the_current_build_lacks_is_refused() {
    let old = event_with(vec![field("gone", FieldKind::Text)]);
    let error = RowPlan::new(&old, &event_with(vec![])).unwrap_err().to_string();
    assert!(error.contains("`gone`: expected a field of the current build"), "{error}");
    let list = |names: &[&str]| {
        event_with(vec![field("l", FieldKind::List(names.iter().map(|name| number(name, 1, true)).collect()))])
    };
    let error = RowPlan::new(&list(&["a", "b"]), &list(&["a", "c"])).unwrap_err().to_string();
    assert!(error.contains("`l.b`: expected a column of the current build"), "{error}");
}

#[test]
fn another_kind_or_width_is_refused() {
    let x = |kind| event_with(vec![field("x", kind)]);
    let narrow = x(FieldKind::Scalar(number("x", 4, false)));
    let wide = x(FieldKind::Scalar(number("x", 8, false)));
    let error = RowPlan::new(&narrow, &wide).unwrap_err().to_string();
    assert!(error.contains("expected a number of 8 bytes, found a number of 4 bytes"), "{error}");
    assert!(RowPlan::new(&x(FieldKind::Text), &x(FieldKind::Bytes)).is_err());
    let list = |width| x(FieldKind::List(vec![number("value", width, true)]));
    assert!(RowPlan::new(&list(1), &list(2)).is_err());
}

proptest! {
    #[test]
    fn equal_layouts_need_no_rewriting(seed: u64) {
        let mut random = Random(seed);
        for event in &table(&mut random).events {
            let plan = RowPlan::new(event, event).unwrap();
            prop_assert!(plan.is_identity());
            let (row, mut out) = (row(&mut random, event), Vec::new());
            plan.apply(&row, &mut out).unwrap();
            prop_assert_eq!(row, out);
        }
    }

    #[test]
    fn reordered_fields_keep_their_values(seed: u64) {
        let mut random = Random(seed);
        for event in &table(&mut random).events {
            let mut turned = event.clone();
            turned.fields.reverse();
            let row = row(&mut random, event);
            let (mut reordered, mut back) = (Vec::new(), Vec::new());
            RowPlan::new(event, &turned).unwrap().apply(&row, &mut reordered).unwrap();
            let mut values = json(&turned, &reordered);
            values.reverse();
            prop_assert_eq!(values, json(event, &row));
            RowPlan::new(&turned, event).unwrap().apply(&reordered, &mut back).unwrap();
            prop_assert_eq!(row, back);
        }
    }
}
