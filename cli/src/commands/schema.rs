//! `taut schema`: every call, DDI call and mark with its fields.

use crate::args::Common;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{print, print_json};
use taut_schemas::SchemaTable;

/// Prints the schema table of this build.
pub fn run(common: Common) -> Outcome {
    let table = SchemaTable::current();
    if common.json {
        print_json(&table)?
    } else {
        print(&table.to_string())?
    }
    Ok(Status::Fine)
}
