//! Names of an enumeration's values in a trace.

use std::collections::HashMap;
use std::marker::PhantomData;
use taut_schemas::{Encoder, Field, SchemaTable, enumeration_of};

/// The names in a trace of the values of `T`, an enumeration or a set of flags.
#[derive(Debug)]
pub struct ValueNames<'a, T> {
    names: HashMap<u64, &'a str>,
    of: PhantomData<fn() -> T>,
}

impl<'a, T: Field> ValueNames<'a, T> {
    /// Collects the names from a table.
    pub fn new(schema: &'a SchemaTable) -> ValueNames<'a, T> {
        let code = enumeration_of::<T>().and_then(|name| schema.code(&name));
        // Reversed, so that the first of two names for a value counts.
        let values = code.into_iter().flat_map(|code| code.values.iter().rev());
        let names = values.map(|(value, name)| (*value, name.trim_start_matches('_'))).collect();
        ValueNames { names, of: PhantomData }
    }

    /// The name of a value; the number as text if it has none.
    pub fn of(&self, value: &T) -> String {
        let (mut row, mut number) = (Vec::with_capacity(size_of::<u64>()), [0; size_of::<u64>()]);
        value.encode(&mut Encoder::new(&mut row));
        number.iter_mut().zip(row).for_each(|(place, byte)| *place = byte);
        let number = u64::from_le_bytes(number);
        self.names.get(&number).map_or_else(|| number.to_string(), |name| (*name).to_owned())
    }
}
