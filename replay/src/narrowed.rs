//! Search for the innermost position in a field at which two values differ.

use serde_json::Value;

/// Innermost path at which two values first differ (`runs[3].output_hash`), and both values at that path.
pub(crate) struct Narrowed {
    pub field: String,
    pub recorded: Value,
    pub live: Value,
}

impl Narrowed {
    /// Descends into lists and records. If one list is a prefix of the other, their lengths are the difference.
    pub fn of(field: String, recorded: Value, live: Value) -> Narrowed {
        match (&recorded, &live) {
            (Value::Array(ours), Value::Array(theirs)) => {
                let first = ours.iter().zip(theirs).position(|(one, other)| one != other);
                match first {
                    Some(at) => Narrowed::of(format!("{field}[{at}]"), ours[at].clone(), theirs[at].clone()),
                    None => Narrowed {
                        field: format!("length of {field}"),
                        recorded: ours.len().into(),
                        live: theirs.len().into(),
                    },
                }
            }
            (Value::Object(ours), Value::Object(theirs)) => {
                let differs = ours.iter().find(|(key, value)| theirs.get(*key) != Some(value));
                match differs.and_then(|(key, value)| Some((key, value, theirs.get(key)?))) {
                    Some((key, one, other)) => Narrowed::of(format!("{field}.{key}"), one.clone(), other.clone()),
                    None => Narrowed { field, recorded, live },
                }
            }
            _ => Narrowed { field, recorded, live },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn narrowed(recorded: Value, live: Value) -> (String, Value, Value) {
        let Narrowed { field, recorded, live } = Narrowed::of("runs".to_owned(), recorded, live);
        (field, recorded, live)
    }

    #[test]
    fn a_hash_that_differs_is_named_by_its_element_and_field() {
        let run = |hash: u64| json!({"variant": 1, "output_hash": hash});
        let found = narrowed(json!([run(1), run(2), run(3)]), json!([run(1), run(7), run(8)]));
        assert_eq!(found, ("runs[1].output_hash".to_owned(), json!(2), json!(7)));
    }

    #[test]
    fn a_list_that_is_longer_is_named_by_its_length() {
        assert_eq!(narrowed(json!([1, 2]), json!([1, 2, 3])), ("length of runs".to_owned(), json!(2), json!(3)));
        assert_eq!(narrowed(json!(null), json!([1])), ("runs".to_owned(), json!(null), json!([1])));
    }

    proptest! {
        #[test]
        fn the_narrowed_values_differ_whenever_the_whole_values_do(one: Vec<Vec<u8>>, other: Vec<Vec<u8>>) {
            prop_assume!(one != other);
            let (_, recorded, live) = narrowed(json!(one), json!(other));
            prop_assert!(recorded != live);
        }
    }
}
