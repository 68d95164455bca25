//! Parser of a file of test cases.

use super::case::CaseFile;
use super::error::CaseError;
use super::vocabulary;
use std::collections::BTreeSet;

impl CaseFile {
    /// Parses a file of cases and checks every step against the vocabulary. A case with an unknown word is marked as
    /// unsupported; the others remain usable.
    ///
    /// # Errors
    /// The text is no such file, or two cases have the same id.
    pub fn parse(text: &str) -> Result<CaseFile, CaseError> {
        let mut file: CaseFile = serde_json::from_str(text)?;
        let mut ids = BTreeSet::new();
        for case in &mut file.cases {
            if !ids.insert(case.id.clone()) {
                return Err(CaseError::DuplicateId { case: case.id.clone() });
            }
            case.unsupported = vocabulary::check(case).err();
        }
        Ok(file)
    }
}
