//! The schema table as a whole: a golden of its text, and the rules of the lists.

use std::collections::BTreeSet;
use taut_schemas::{
    Decoder, EventCode, EventSchema, FAMILIES, Family, Field, FieldKind, FormerNames, IdSpace, Input, Opcode, Role,
    SchemaTable, Slot, for_each_family,
};

#[test]
fn the_schema_is_what_was_blessed() {
    insta::assert_snapshot!("schema", SchemaTable::current().to_string());
}

#[test]
fn codes_and_names_are_unique() {
    let table = SchemaTable::current();
    let codes: BTreeSet<EventCode> = table.events.iter().map(|event| event.code).collect();
    assert_eq!(codes.len(), table.events.len());
    let names: BTreeSet<_> = table.events.iter().map(|event| (&event.provider, &event.name, event.opcode)).collect();
    assert_eq!(names.len(), table.events.len());
    for event in &table.events {
        let fields: BTreeSet<_> = event.fields.iter().map(|field| &field.name).collect();
        assert_eq!(fields.len(), event.fields.len(), "{} has a field twice", event.name);
    }
}

#[test]
fn every_field_has_a_description() {
    for event in &SchemaTable::current().events {
        assert!(!event.doc.is_empty(), "{}", event.name);
        for field in &event.fields {
            assert!(!field.doc.is_empty(), "{}.{}", event.name, field.name);
            assert!(!field.name.is_empty(), "{} has a field without a name", event.name);
        }
    }
}

#[test]
fn every_call_has_a_start_and_a_stop() {
    let table = SchemaTable::current();
    for event in &table.events {
        let other = match event.opcode {
            Opcode::Start => Opcode::Stop,
            Opcode::Stop => Opcode::Start,
            Opcode::Info => continue,
        };
        assert!(table.event(EventCode::new(event.code.id(), other)).is_some(), "{}", event.name);
    }
}

#[test]
fn plain_fields_and_list_elements_never_share_a_slot() {
    let (mut plain, mut listed) = (BTreeSet::new(), BTreeSet::new());
    for field in SchemaTable::current().events.into_iter().flat_map(|event| event.fields) {
        match field.kind {
            FieldKind::Scalar(scalar) => drop(plain.insert(scalar.slot)),
            FieldKind::List(columns) | FieldKind::Optional(columns) => {
                listed.extend(columns.into_iter().map(|column| column.slot));
            }
            FieldKind::Text | FieldKind::Bytes => {}
        }
    }
    assert!(plain.is_disjoint(&listed));
    assert!(!plain.contains(&Slot::BYTES) && !plain.contains(&Slot::COUNTS));
}

#[test]
fn the_table_survives_its_own_serialisation() -> Result<(), serde_json::Error> {
    let table = SchemaTable::current();
    let text = serde_json::to_string(&table)?;
    assert_eq!(serde_json::from_str::<SchemaTable>(&text)?, table);
    Ok(())
}

/// The number of objects that a successful result names, and of those that the call's line says it creates.
fn named_and_created<C: Input>() -> (usize, usize) {
    // S_OK, then the first number of any handle.
    let row: Vec<u8> = [0_u32, 1, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    let (mut named, mut created) = (0, 0);
    if let Ok(output) = C::Output::decode(&mut Decoder::new(&row)) {
        output.visit_objects(&mut |_| named += 1);
        C::visit_created(&output, &mut |_| created += 1);
    }
    (named, created)
}

#[test]
fn calls_with_objects_in_their_results_declare_creations() {
    let (mut creating, mut giving) = (Vec::new(), Vec::new());
    macro_rules! check {
        ([inputs $family:ident] $(
            $(#[$doc:meta])+ $id:literal $Name:ident $(was $was:ident)* [$($lock:ident),*] $(creates $Object:ty)? =
                $method:ident $arguments:tt $(derived $derived:ident: $DerivedInput:ident)? -> $Output:ty;
        )*) => { $(
            let (named, created) = named_and_created::<taut_schemas::$family::$Name>();
            if named != created {
                assert_eq!(created, 0, "{}", stringify!($Name));
                giving.push(stringify!($Name));
            }
            if !taut_schemas::$family::$Name::CREATES.is_nothing() {
                creating.push(concat!(stringify!($Name) $(, " creates ", stringify!($Object))?));
            }
        )* };
        ([$kind:ident $family:ident] $($line:tt)*) => {};
    }
    macro_rules! families {
        ([] $(
            $(#[$doc:meta])+ $family:ident = $kind:ident $layer:ident $header:literal $first:literal..=$last:literal
                [$($list:ident),+];
        )+) => { $( $( taut_schemas::$list! { check $kind $family } )+ )+ };
    }
    for_each_family!(families);
    insta::assert_snapshot!("creates", creating.join("\n"));
    // Queries of bindings name objects that exist already.
    let is_query =
        |name: &&str| ["Get", "Query", "IAGet", "RSGet", "OMGet", "CSGet"].iter().any(|start| name.starts_with(start));
    assert!(giving.iter().all(is_query), "{giving:?}");
    assert!(!giving.is_empty());
}

/// Number of unused line numbers of a family.
fn numbers_left(family: &Family, table: &SchemaTable) -> usize {
    let used = table.events.iter().filter(|event| event.provider == family.provider).map(|event| event.code.id());
    usize::from(family.last - family.first) + 1 - used.collect::<BTreeSet<_>>().len()
}

/// A line's number is asserted to be in its family's range where the line is defined.
#[test]
fn families_have_disjoint_ranges_with_unused_numbers() {
    let (mut last, table) = (0, SchemaTable::current());
    for family in FAMILIES {
        assert!(last < family.first && family.first <= family.last, "{}", family.provider);
        last = family.last;
        assert!(numbers_left(family, &table) >= 100, "{}", family.provider);
    }
    assert!(last < 1 << 14, "a code has fourteen bits for a line's number");
}

#[test]
fn every_event_is_of_a_family_and_of_its_layer() {
    for event in &SchemaTable::current().events {
        let is_of = |family: &&Family| {
            family.provider == event.provider
                && family.layer == event.layer
                && (family.first..=family.last).contains(&event.code.id())
        };
        assert_eq!(FAMILIES.iter().filter(is_of).count(), 1, "{}", event.name);
    }
}

#[test]
fn former_event_names_are_mapped_to_provider_names() {
    let current = SchemaTable::current();
    let mut former = current.clone();
    // Handles per context and DXGI's driver interface were added when names were already unique per provider.
    let came_later = |event: &EventSchema| {
        let later = [
            "CreateShaderResourceView",
            "CreateRenderTargetView",
            "CreateDepthStencilView",
            "CreateUnorderedAccessView",
            "GetDeviceRemovedReason",
            "CheckFeatureSupport",
            "DrawInstanced",
            "Dispatch",
        ];
        ["d3d11_context_ddi", "dxgi_ddi"].contains(&event.provider.as_str())
            || event.provider == "d3d12" && event.code.id() >= 68
            || event.provider == "d3d11" && later.contains(&&*event.name)
            || event.provider == "d3d12_ddi" && ["CloseCommandList", "RunDriverThread"].contains(&&*event.name)
    };
    former.events.retain(|event| !came_later(event));
    let current = former.clone();
    FormerNames::current().restore(&mut former);
    for event in &mut former.events {
        let bent = match (event.provider.as_str(), event.name.as_str()) {
            ("d3d11", name @ ("CopyResource" | "Map" | "Unmap")) => format!("D3D11{name}"),
            ("d3d12_ddi", "ExecuteCommandLists") => "ExecuteCommandListsDdi".to_owned(),
            (_, name) => name.to_owned(),
        };
        (event.name, event.provider) = (bent, String::new());
    }
    assert_ne!(former, current);
    let names: BTreeSet<_> = former.events.iter().map(|event| (&event.name, event.opcode)).collect();
    assert_eq!(names.len(), former.events.len(), "former names were unique without a provider");
    former.complete();
    assert_eq!(former, current);
}

#[test]
fn every_identity_has_a_space_and_nothing_else_has() {
    let table = SchemaTable::current();
    let scalars = table.events.iter().flat_map(|event| &event.fields).flat_map(|field| field.scalars());
    for scalar in scalars {
        assert_eq!(scalar.role == Role::Id, scalar.space.is_some(), "{}", scalar.name);
    }
}

#[test]
fn missing_id_spaces_are_taken_from_this_build() -> Result<(), serde_json::Error> {
    let mut former = serde_json::to_value(SchemaTable::current())?;
    forget_spaces(&mut former);
    let mut former: SchemaTable = serde_json::from_value(former)?;
    assert_ne!(former, SchemaTable::current());
    // An event that this build does not have.
    let is_finish = |event: &&mut EventSchema| event.name == "FinishBackgroundWork" && event.opcode == Opcode::Start;
    for event in former.events.iter_mut().filter(is_finish) {
        event.name = "GiveUpBackgroundWork".to_owned();
    }
    former.complete();
    let mut expected = SchemaTable::current();
    for event in expected.events.iter_mut().filter(is_finish) {
        event.name = "GiveUpBackgroundWork".to_owned();
        for field in &mut event.fields {
            if let FieldKind::Scalar(scalar) = &mut field.kind {
                scalar.space = scalar.space.map(|_| IdSpace::Object);
            }
        }
    }
    assert_eq!(former, expected);
    Ok(())
}

fn forget_spaces(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(members) => {
            members.remove("space");
            members.values_mut().for_each(forget_spaces);
        }
        serde_json::Value::Array(elements) => elements.iter_mut().for_each(forget_spaces),
        _ => {}
    }
}
