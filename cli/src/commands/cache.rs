//! `taut cache`: what is kept of answered questions.

use crate::args::{CacheAction, CacheArguments, Common};
use serde_json::json;
use taut_analyze::render::binary_bytes;
use taut_console::cache::{Cache, Held};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{print, print_json};
use taut_schemas::counted;

/// Tells it, or takes it away.
pub fn run(arguments: &CacheArguments, common: Common) -> Outcome {
    let clears = arguments.action == Some(CacheAction::Clear);
    let Some(cache) = Cache::of_user() else {
        if common.json {
            print_json(&json!({"folder": null, "tables": 0, "traces": 0, "bytes": 0}))?;
        } else {
            print("There is no cache: TAUT_CACHE is empty, or no folder of the user is known.\n")?;
        }
        return Ok(Status::Fine);
    };
    let held = if clears { cache.clear() } else { cache.held() };
    let held = held.map_err(|error| Failure::io(error).context(cache.folder().display().to_string()))?;
    let Held { files, groups, bytes } = held;
    let folder = cache.folder().display().to_string();
    if common.json {
        let most_bytes = cache.most_bytes();
        let document = json!({
            "folder": folder, "tables": files, "traces": groups, "bytes": bytes, "most_bytes": most_bytes, "cleared": clears,
        });
        print_json(&document)?;
    } else {
        let what = format!("{} of {}, {}", counted(files, "table"), counted(groups, "trace"), binary_bytes(bytes));
        let most = binary_bytes(cache.most_bytes());
        let ending = if clears { "taken away".to_owned() } else { format!("of at most {most}") };
        print(&format!("{folder}: {what} {ending}\n"))?;
    }
    Ok(Status::Fine)
}
