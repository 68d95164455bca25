//! `taut drivers`: lists or explains driver models.

use crate::args::{Common, Drivers};
use crate::failure::failure;
use taut_app::listing::drivers::{self, Driver};
use taut_app::listing::settings;
use taut_conformance as conformance;
use taut_console::outcome::{Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, table};
use taut_runtime::{AllocInfo, Profile, Sample};
use taut_schemas::counted;

/// Lists the models, or explains one.
pub fn run(arguments: &Drivers, common: Common) -> Outcome {
    match &arguments.name {
        Some(name) => explain(name, common),
        None if common.json => {
            print_json(&drivers::all_json())?;
            Ok(Status::Fine)
        }
        None => {
            print(&folded(&if arguments.faulty { faulty_models() } else { sound_models() }))?;
            Ok(Status::Fine)
        }
    }
}

fn sound_models() -> String {
    let model = |profile: Profile| format!("{}\n  {}\n", bold(&profile.name), profile.description.trim());
    let models: String = drivers::sound().map(model).collect();
    let faulty = drivers::faulty().count();
    format!(
        "{models}\nPrint a model with its profile, to copy and edit: taut drivers NAME\nList the {faulty} faulty models: \
         taut drivers --faulty\n"
    )
}

fn faulty_models() -> String {
    let model = |profile: Profile| {
        let Profile { name, description, fails, .. } = profile;
        format!("{}  fails {}\n  {}\n", bold(&name), fails.join(", "), description.trim())
    };
    let models: String = drivers::faulty().map(model).collect();
    format!("Each model fails the named checks of the conformance kit on purpose (taut hlk --driver NAME).\n\n{models}")
}

/// Keys of the table `[background]` with the values of a model; empty if the driver does not optimise.
fn background(profile: &Profile) -> String {
    let keys = settings::background_values(profile);
    if keys.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n{} of [background] with the values of this model (taut replay TRACE --sweep KEY=VALUE,VALUE tries others):\n\n",
        counted(keys.len() as u64, "key")
    );
    for (key, value) in keys {
        text += &format!("{} = {value}  ({})\n    {}\n", key.name, key.values, key.meaning);
    }
    text
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
        "{}\n\nDDI version {}, tier {} of tight alignment. Size and alignment of resources, in bytes:\n\n",
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
        explanation += &format!("\nThe model fails check {id} on purpose: {title}.\n");
    }
    explanation += &background(&profile);
    let comment: String = explanation.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    print(&format!("{comment}\n{text}"))?;
    Ok(Status::Fine)
}
