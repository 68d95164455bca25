//! `taut drivers`: lists or explains driver models.

use crate::args::{Common, Drivers};
use crate::failure::failure;
use taut_app::listing::drivers::{self, Driver};
use taut_conformance as conformance;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, table};
use taut_runtime::{AllocInfo, Profile, Sample};

/// Lists the models, or explains one.
pub fn run(arguments: &Drivers, common: Common) -> Outcome {
    match &arguments.name {
        Some(name) => explain(name, common),
        None => list(common),
    }
}

fn list(common: Common) -> Outcome {
    if common.json {
        print_json(&drivers::all_json())?;
    } else {
        let explanation = |p: Profile| format!("{}\n  {}\n", bold(&p.name), p.description.trim());
        let sound: String = drivers::sound().map(explanation).collect();
        let faulty: String = drivers::faulty()
            .map(|p| format!("{}  fails {}\n  {}\n", bold(&p.name), p.fails.join(", "), p.description.trim()))
            .collect();
        let end = "Explain one, and print its profile to start your own from: taut drivers NAME\n";
        let faulty = format!("Wrong on purpose, for the conformance kit (taut hlk --driver NAME):\n\n{faulty}");
        print(&folded(&format!("{sound}\n{faulty}\n{end}")))?;
    }
    Ok(Status::Fine)
}

/// Prints the profile of a model, with an explanation and sample sizes as a comment: the output can be used as a
/// profile.
fn explain(name: &str, common: Common) -> Outcome {
    let driver = drivers::find(name).map_err(failure)?;
    if common.json {
        print_json(&driver.json())?;
        return Ok(Status::Fine);
    }
    let Driver { text, profile, samples } = driver;
    let mut explanation = format!(
        "{}\n\nIt speaks DDI {} and reports tier {} of tight alignment. Size and alignment of resources on it, in bytes:\n\n",
        profile.description.trim(),
        profile.ddi_version,
        profile.caps.tight_alignment_tier
    );
    let figures = |info: &AllocInfo| match info.size_bytes {
        u64::MAX => "refused".to_owned(),
        size => format!("{size} @ {}", info.alignment_bytes),
    };
    let rows = samples.iter().map(|sample| {
        let Sample { what, classic, placed, committed } = sample;
        [(*what).to_owned(), figures(classic), figures(placed), figures(committed)]
    });
    explanation += &table(&["resource", "without the flag", "tight, placed", "tight, committed"], &[1, 2, 3], rows);
    for id in &profile.fails {
        let title = conformance::check(id).map_or("", |check| check.title);
        explanation += &format!("\nIt fails check {id} on purpose: {title}.\n");
    }
    let comment: String = explanation.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    print(&format!("{comment}\n{text}"))?;
    Ok(Status::Fine)
}
