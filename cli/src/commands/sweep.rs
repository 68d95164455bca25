//! `taut replay --sweep`: background processing of a recording with other values of a key of the driver's profile.

use crate::args::{Common, Replay};
use crate::failure::failure;
use crate::progress_bar::ProgressBar;
use crate::task_options;
use serde_json::Value;
use taut_analyze::render::{counted, grouped, percent};
use taut_app::replay::{self, Sweep, SweepOutcome};
use taut_console::outcome::Failure;
use taut_console::output::{Output, Outputs};
use taut_console::printing::{folded, ranked_table};
use taut_console::traces::name;

/// Replays with each value.
pub fn run(
    replay: &Replay,
    sweep: &Sweep,
    replayed: &replay::Replay<'_>,
    common: Common,
) -> Result<SweepOutcome, Failure> {
    let progress = ProgressBar { quiet: common.quiet };
    replayed.sweep(&replay.what_if_options(), sweep, &progress).map_err(failure)
}

/// Prints the results, and draws them into the picture.
pub fn print(
    replay: &Replay,
    outcome: &SweepOutcome,
    outputs: &Outputs,
    picture: Option<Output>,
    common: Common,
) -> Result<(), Failure> {
    if let Some(picture) = picture {
        picture.finish_with_text(&outcome.chart())?;
    }
    match replay.is_json(common) {
        true => outputs.print_json_message(&outcome.json()),
        false => outputs.print_message(&as_text(replay, outcome)),
    }
}

fn as_text(replay: &Replay, outcome: &SweepOutcome) -> String {
    let SweepOutcome { key, model, results, .. } = outcome;
    let share = |share: Option<f64>| share.map_or_else(|| "\u{2013}".to_owned(), percent);
    let rows = results.iter().map(|setting| {
        let unfit = setting.pgo.pointer("/unfit/cause").and_then(Value::as_str).unwrap_or("\u{2013}");
        [
            grouped(setting.value),
            if setting.is_fit() { "yes".to_owned() } else { unfit.replace('_', " ") },
            grouped(setting.count("/variants")),
            grouped(setting.count("/tasks_finished")),
            share(setting.share("/variant_draw_ratio")),
            share(setting.share("/saving_ratio")),
            share(setting.wasted_ratio()),
            share(setting.share("/overlap/mean_ratio")),
        ]
    });
    let no_effect = outcome.no_effect().map_or_else(String::new, |text| format!("{}\n", folded(&text)));
    let heading = [&**key, "fit", "variants", "tasks", "served", "saved", "wasted", "concurrent"];
    format!(
        "{}: {} of {} tried, each on the recorded calls; {}\n{no_effect}\n{}\n\
         served: draws with a variant; saved: instructions; wasted: tasks with discarded results; concurrent: mean share of a frame with a task\n",
        name(&replay.file),
        counted(results.len() as u64, "value"),
        key,
        task_options::model_in_words(model),
        ranked_table(&heading, &[0, 2, 3, 4, 5, 6, 7], &[1, 5, 6], rows),
    )
}
