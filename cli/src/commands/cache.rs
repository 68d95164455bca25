//! `taut cache`: shows or clears the query cache.

use crate::args::{CacheAction, CacheArguments, Common};
use std::path::PathBuf;
use taut_analyze::render::binary_bytes;
use taut_console::cache::{Cache, CacheContents, no_cache_json};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{escaped, print, print_json};
use taut_schemas::{counted, grouped};

/// Maximum number of foreign paths listed individually; the rest is counted.
const SHOWN_FOREIGN: usize = 10;

/// Prints the size of the cache, or clears it.
pub fn run(arguments: &CacheArguments, common: Common) -> Outcome {
    let clears = arguments.action == Some(CacheAction::Clear);
    let Some(cache) = Cache::for_user() else {
        if common.json {
            print_json(&no_cache_json())?;
        } else {
            print("There is no cache: TAUT_CACHE is empty, or no folder of the user is known.\n")?;
        }
        return Ok(Status::Fine);
    };
    let contents = if clears { cache.clear() } else { cache.contents() };
    let contents = contents.map_err(|error| Failure::io(error).context(cache.folder().display().to_string()))?;
    if common.json {
        print_json(&contents.json(&cache, clears))?;
    } else {
        let CacheContents { files, groups, bytes, foreign } = contents;
        let folder = cache.folder().display().to_string();
        let what = format!("{} of {}, {}", counted(files, "table"), counted(groups, "trace"), binary_bytes(bytes));
        let max_text = binary_bytes(cache.max_bytes());
        let ending = if clears { "removed".to_owned() } else { format!("of at most {max_text}") };
        print(&format!("{}: {what} {ending}\n{}", escaped(&folder), foreign_text(&foreign)))?;
    }
    Ok(Status::Fine)
}

/// Lists the files that are not tables of `taut` and are therefore never removed.
fn foreign_text(foreign: &[PathBuf]) -> String {
    let mut text = String::new();
    for path in foreign.iter().take(SHOWN_FOREIGN) {
        text += &format!("stays, not a table of taut: {}\n", escaped(&path.display().to_string()));
    }
    if foreign.len() > SHOWN_FOREIGN {
        text += &format!("stays, not a table of taut: {} more\n", grouped((foreign.len() - SHOWN_FOREIGN) as u64));
    }
    text
}
