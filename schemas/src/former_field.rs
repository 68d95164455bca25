//! Fields and enumerations with former names: the words after `was` in a line of the lists.

/// A field, or a column of a list, that had another name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerField {
    /// The list of a column, by its current name; `None` for a field.
    pub list: Option<String>,
    /// Former name.
    pub was: String,
    /// Current name.
    pub name: String,
}

/// An enumeration that had another name, or values with other names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerCode {
    /// Current name.
    pub name: &'static str,
    /// Former names.
    pub was: Vec<&'static str>,
    /// Values, with their former and their current names.
    pub values: Vec<(u64, &'static str, &'static str)>,
}
