//! Definition of the events of Windows.

/// Fields of one record, by their positions in [`WindowsEvent::FIELDS`].
pub trait WindowsFields {
    /// A number; the first one of a list. `None` if the record lacks the field.
    fn number(&self, index: usize) -> Option<u64>;

    /// The numbers of a list; empty if the record lacks the field.
    fn numbers(&self, index: usize) -> Vec<u64>;

    /// A text. `None` if the record lacks the field.
    fn text(&self, index: usize) -> Option<String>;
}

/// Type of a field.
pub trait WindowsField {
    /// Reads the field at a position.
    fn read(fields: &dyn WindowsFields, index: usize) -> Self;
}

impl WindowsField for Option<u64> {
    fn read(fields: &dyn WindowsFields, index: usize) -> Self {
        fields.number(index)
    }
}

impl WindowsField for Vec<u64> {
    fn read(fields: &dyn WindowsFields, index: usize) -> Self {
        fields.numbers(index)
    }
}

impl WindowsField for Option<String> {
    fn read(fields: &dyn WindowsFields, index: usize) -> Self {
        fields.text(index)
    }
}

/// An event that Windows reports.
pub trait WindowsEvent: Sized {
    /// UUID of the provider, in lower case.
    const PROVIDER: &'static str;
    /// Ids of the event in ETW.
    const IDS: &'static [u16];
    /// Names of the fields in Windows.
    const FIELDS: &'static [&'static str];

    /// Reads a record.
    fn read(fields: &dyn WindowsFields) -> Self;
}

/// Defines events: struct, provider, ids, and the name in Windows of each field.
macro_rules! windows_events {
    ($(
        $(#[$meta:meta])*
        pub struct $Name:ident of $provider:ident [$($id:literal),+] {
            $($field:ident: $ty:ty = $windows:literal,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Default)]
        pub struct $Name {
            $(pub $field: $ty,)*
        }

        impl $crate::windows::define::WindowsEvent for $Name {
            const PROVIDER: &'static str = $provider;
            const IDS: &'static [u16] = &[$($id),+];
            const FIELDS: &'static [&'static str] = &[$($windows),*];

            fn read(fields: &dyn $crate::windows::define::WindowsFields) -> Self {
                let mut positions = 0_usize..;
                // A struct expression evaluates its fields in the order of the list.
                let _ = (&mut positions, fields);
                Self { $($field: $crate::windows::define::WindowsField::read(fields, positions.next().unwrap_or_default()),)* }
            }
        }
    )*};
}
pub(crate) use windows_events;
