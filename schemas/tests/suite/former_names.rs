//! Former names: each is read as the name of today, and no current name is a former one of the same list.

use std::collections::BTreeSet;
use std::path::Path;
use taut_schemas::{
    CodeSchema, EventSchema, FieldSchema, FormerCode, FormerEvent, FormerField, FormerNames, SchemaTable,
};

/// Asserts that a table with former names is read as this build's.
fn is_read_as_current(mut table: SchemaTable, what: &str) {
    let current = SchemaTable::current();
    assert_ne!(table, current, "{what}: nothing has its former name");
    table.complete();
    assert_eq!(table, current, "{what}");
}

#[test]
fn a_table_of_former_names_is_read_as_the_current_one() {
    let mut table = SchemaTable::current();
    FormerNames::current().restore(&mut table);
    is_read_as_current(table, "all former names");
}

#[test]
fn each_former_name_alone_is_read_as_the_current_one() {
    let (names, current) = (FormerNames::current(), SchemaTable::current());
    for event in &names.events {
        for was in event.was {
            let mut table = current.clone();
            find(&mut table, event).name = (*was).to_owned();
            is_read_as_current(table, was);
        }
        for field in &event.fields {
            let mut table = current.clone();
            field.restore(find(&mut table, event));
            is_read_as_current(table, &format!("{}: {}", event.name, field.was));
        }
    }
    for code in &names.codes {
        for part in parts(code) {
            let mut table = current.clone();
            part.restore(&mut table);
            is_read_as_current(table, &format!("{part:?}"));
        }
    }
}

/// Each of an enumeration's former names alone.
fn parts(code: &FormerCode) -> Vec<FormerCode> {
    let name = |was: &&'static str| FormerCode { was: vec![was], values: Vec::new(), ..code.clone() };
    let value = |value: &(u64, &'static str, &'static str)| FormerCode {
        was: Vec::new(),
        values: vec![*value],
        ..code.clone()
    };
    code.was.iter().map(name).chain(code.values.iter().map(value)).collect()
}

fn find<'t>(table: &'t mut SchemaTable, former: &FormerEvent) -> &'t mut EventSchema {
    let is = |event: &&mut EventSchema| {
        event.provider == former.provider && event.name == former.name && event.opcode == former.opcode
    };
    table.events.iter_mut().find(is).expect("the event of the list")
}

/// Names that a former name would be confused with: the other columns of its list, or the fields of its event.
fn neighbours(event: &EventSchema, former: &FormerField) -> Vec<String> {
    let names = |fields: &[FieldSchema]| fields.iter().map(|field| field.name.clone()).collect();
    match &former.list {
        None => names(&event.fields),
        Some(list) => {
            let list = event.fields.iter().find(|field| field.name == *list).expect("the list of the column");
            list.scalars().iter().map(|column| column.name.clone()).collect()
        }
    }
}

#[test]
fn no_current_name_is_a_former_one_of_its_list() {
    let (names, mut current) = (FormerNames::current(), SchemaTable::current());
    assert!(!names.events.is_empty(), "the lists have former names");
    for former in &names.events {
        for was in former.was {
            assert_eq!(current.named(former.provider, was, former.opcode), None, "{was}");
        }
        let event = find(&mut current, former);
        let mut seen = BTreeSet::new();
        for field in &former.fields {
            let neighbours = neighbours(event, field);
            assert!(neighbours.contains(&field.name), "{}: no field {}", former.name, field.name);
            assert!(!neighbours.contains(&field.was), "{}: {} is a name of today", former.name, field.was);
            assert!(seen.insert((&field.list, &field.was)), "{}: {} was two fields", former.name, field.was);
        }
    }
    for former in &names.codes {
        assert!(former.was.iter().all(|was| current.code(was).is_none()), "{former:?}");
        let CodeSchema { values, .. } = current.code(former.name).expect("the enumeration of the list");
        for (value, was, name) in &former.values {
            assert!(values.contains(&(*value, (*name).to_owned())), "{former:?}");
            assert!(values.iter().all(|(_, name)| name != was), "{former:?}");
        }
    }
}

#[test]
fn a_name_that_an_event_has_already_is_not_given_to_a_second_field() {
    let mut table = SchemaTable::current();
    let former =
        FormerNames::current().events.iter().find(|former| former.fields.iter().any(|field| field.list.is_none()));
    let former = former.expect("a renamed field");
    let renamed = former.fields.iter().find(|field| field.list.is_none()).expect("a renamed field");
    let event = find(&mut table, former);
    let mut second = event.fields.iter().find(|field| field.name == renamed.name).expect("the field").clone();
    second.name.clone_from(&renamed.was);
    event.fields.push(second);
    let expected = event.fields.clone();
    table.complete();
    assert_eq!(find(&mut table, former).fields, expected);
}

/// Line of the page before the part that is made from the lists.
const HEADING: &str = "<!-- written by schemas/tests/suite/former_names.rs -->\n";

/// The table of names in the lists: place, former name, name.
fn table() -> String {
    let names = FormerNames::current();
    let mut rows = Vec::new();
    for event in &names.events {
        let event_name = format!("`{}.{}`", event.provider, event.name);
        rows.extend(
            event.was.iter().map(|was| format!("| event `{}` | `{was}` | `{}` |\n", event.provider, event.name)),
        );
        for FormerField { list, was, name } in &event.fields {
            let list = list.as_ref().map(|list| format!(", `{list}`")).unwrap_or_default();
            rows.push(format!("| {event_name}{list} | `{was}` | `{name}` |\n"));
        }
    }
    for code in &names.codes {
        rows.extend(code.was.iter().map(|was| format!("| enumeration | `{was}` | `{}` |\n", code.name)));
        let value = |(_, was, name): &(u64, &str, &str)| format!("| `{}` | `{was}` | `{name}` |\n", code.name);
        rows.extend(code.values.iter().map(value));
    }
    // The start and the stop of a call have the same name.
    rows.dedup();
    format!("| in | was | is |\n|---|---|---|\n{}", rows.concat())
}

#[test]
fn the_page_of_former_names_matches_the_lists() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/former-names.md");
    let page = std::fs::read_to_string(&path).expect("docs/former-names.md");
    let (by_hand, found) = page.split_once(HEADING).expect("the line before the table");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{by_hand}{HEADING}\n{}", table())).expect("docs/former-names.md is written");
        return;
    }
    assert!(found.trim_start() == table(), "the lists differ: BLESS=1 cargo test -p taut-schemas writes the page");
}
