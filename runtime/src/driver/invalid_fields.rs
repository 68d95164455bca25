//! Validation of the fields that a profile lists in `[contexts]`.

use super::contexts_field_table::calls_of;
use super::contexts_profile::ContextHandles;
use super::invalid_key::{InvalidValue, MAX_BYTES};
use taut_schemas::{HandleField, HandleType, nearest};

/// Key of the fields.
const KEY: &str = "contexts.fields";
/// Max size of a field: 64 cache lines, more than a driver reads in one call.
const MAX_FIELD_BYTES: u64 = 4096;

/// Returns the first invalid value of the fields.
pub(crate) fn invalid_fields(contexts: &ContextHandles) -> Option<InvalidValue> {
    let fields = &contexts.fields;
    (0..)
        .zip(fields)
        .find_map(|(index, field)| {
            let is_first = |other: &HandleField| (&other.handle_type, &other.name) != (&field.handle_type, &field.name);
            let wrong = |expected: String, found: String| Some(InvalidValue { key: KEY, expected, found });
            let path = format!("{}.{}", field.handle_type, field.name);
            let Some(handle_type) = type_of(contexts, &field.handle_type) else {
                return wrong("types of objects' handles that `handles` lists".to_owned(), field.handle_type.clone());
            };
            let is_plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            if field.name.is_empty() || !is_plain(&field.name) {
                return wrong("names of letters, digits and _".to_owned(), format!("{:?}", field.name));
            }
            if !fields.iter().take(index).all(is_first) {
                return wrong("each field of a type once".to_owned(), format!("{path} again"));
            }
            if !(1..=MAX_FIELD_BYTES).contains(&field.size_bytes) || field.offset_bytes > MAX_BYTES {
                let expected = format!("size_bytes of 1 to {MAX_FIELD_BYTES} and offset_bytes of at most {MAX_BYTES}");
                return wrong(expected, format!("{} at {} for {path}", field.size_bytes, field.offset_bytes));
            }
            if field.every_n == 0 {
                return wrong("every_n of at least 1".to_owned(), format!("0 for {path}"));
            }
            let calls = || calls_of(handle_type);
            let unknown =
                field.read_by.iter().chain(&field.written_by).find(|name| calls().all(|call| call != *name))?;
            let close = nearest(unknown, calls()).map_or(String::new(), |other| format!("; did you mean {other}?"));
            let listed = calls().collect::<Vec<_>>().join(", ");
            wrong(format!("calls that name a handle of {}: {listed}", field.handle_type), format!("{unknown}{close}"))
        })
        .or_else(|| {
            let size = |(value, name): &(u32, &'static str)| {
                let handle_type = HandleType(*value);
                let bytes =
                    contexts.immediate_size_of(handle_type).max(contexts.size_of(handle_type, Default::default()));
                (bytes > MAX_BYTES).then_some((*name, bytes))
            };
            let (name, bytes) = HandleType::NAMES.iter().filter(|_| !fields.is_empty()).find_map(size)?;
            let expected = format!("fields that end within {MAX_BYTES}");
            Some(InvalidValue { key: KEY, expected, found: format!("{bytes} for {name}") })
        })
}

/// Returns the type of this name, if `handles` lists it and it is not that of command lists, whose memory has no fields.
fn type_of(contexts: &ContextHandles, name: &str) -> Option<HandleType> {
    let layout = contexts.handles.iter().find(|layout| layout.handle_type == name)?;
    layout.handle_type().filter(|handle_type| *handle_type != HandleType::COMMANDLIST)
}

#[cfg(test)]
mod tests {
    use crate::driver::profile::Profile;
    use taut_schemas::FieldPlacement;

    const FIELD: &str = r#"handle_type = "RESOURCE", name = "pitch", size_bytes = 8, placement = "shared""#;

    fn parsed(fields: &str) -> Result<Profile, String> {
        let text = Profile::bundled().iter().find(|(name, _)| *name == "multi-size").unwrap().1;
        let text = text.replace("handles = [", &format!("fields = [ {fields} ]\nhandles = ["));
        Profile::parse(&text, "own.toml")
            .map_err(|error| format!("{}: {} / {}", error.key, error.expected, error.found))
    }

    #[test]
    fn fields_of_a_profile_are_checked() {
        assert!(parsed(&format!("{{ {FIELD} }}")).is_ok());
        for (wrong, named) in [
            (format!("{{ {FIELD} }}, {{ {FIELD} }}"), "RESOURCE.pitch again"),
            (format!("{{ {} }}", FIELD.replace("RESOURCE", "COMMANDLIST")), "COMMANDLIST"),
            (format!("{{ {} }}", FIELD.replace("pitch", "a b")), "a b"),
            (format!("{{ {} }}", FIELD.replace("= 8", "= 0")), "0 at 0 for RESOURCE.pitch"),
            (format!("{{ {} }}", FIELD.replace("= 8", "= 4097")), "4097 at 0"),
            (format!("{{ {FIELD}, every_n = 0 }}"), "every_n"),
            (format!("{{ {FIELD}, read_by = [\"ResourceCopi\"] }}"), "did you mean ResourceCopy?"),
            (format!("{{ {FIELD}, written_by = [\"SetShader\"] }}"), "SetShader"),
        ] {
            let error = parsed(&wrong).unwrap_err();
            assert!(error.starts_with("contexts.fields:") && error.contains(named), "{error}");
        }
    }

    #[test]
    fn a_field_is_placed_elsewhere_by_name() {
        let profile = parsed(&format!("{{ {FIELD}, offset_bytes = 24 }}")).unwrap();
        let changed = profile.with_field_placement("RESOURCE.pitch", "per_context").unwrap();
        let field = &changed.contexts.unwrap().fields[0];
        assert_eq!((field.placement, field.offset_bytes), (FieldPlacement::PerContext, 0));
        assert_eq!(profile.with_field_placement("RESOURCE.pitch", "shared").unwrap(), profile);
        let error =
            |path: &str, placement: &str| profile.with_field_placement(path, placement).unwrap_err().to_string();
        assert!(error("RESOURCE.pich", "shared").contains("did you mean RESOURCE.pitch?"));
        assert_eq!(
            error("RESOURCE.pitch", "copied"),
            "layout.RESOURCE.pitch: expected per_context, shared, separate, found copied"
        );
        let none = Profile::named("reference").unwrap().with_field_placement("A.b", "shared").unwrap_err();
        assert!(none.to_string().contains("reference"), "{none}");
    }
}
