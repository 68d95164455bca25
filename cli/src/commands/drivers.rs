//! `taut drivers`: the driver models.

use crate::args::{Common, Drivers};
use serde_json::{Value, json};
use taut_console::outcome::{Failure, Outcome, Status};
use taut_console::printing::{bold, folded, print, print_json, table, unknown};
use taut_runtime::{AllocInfo, Profile, Sample, conformance};

/// Lists the models, or explains one.
pub fn run(drivers: &Drivers, common: Common) -> Outcome {
    match &drivers.name {
        Some(name) => explain(name, common),
        None => list(common),
    }
}

fn list(common: Common) -> Outcome {
    let profiles =
        |names: &'static [(&'static str, &'static str)]| names.iter().filter_map(|(name, _)| Profile::named(name));
    let (sound, faulty) = (profiles(Profile::bundled()), profiles(Profile::faulty()));
    if common.json {
        let all: Vec<Value> = sound
            .chain(faulty)
            .map(|p| json!({"name": p.name, "description": p.description, "fails": p.fails}))
            .collect();
        print_json(&all)?;
    } else {
        let told = |p: Profile| format!("{}\n  {}\n", bold(&p.name), p.description.trim());
        let sound: String = sound.map(told).collect();
        let faulty: String = faulty
            .map(|p| format!("{}  fails {}\n  {}\n", bold(&p.name), p.fails.join(", "), p.description.trim()))
            .collect();
        let end = "Explain one, and print its profile to start your own from: taut drivers NAME\n";
        let faulty = format!("Wrong on purpose, for the conformance kit (taut hlk --driver NAME):\n\n{faulty}");
        print(&folded(&format!("{sound}\n{faulty}\n{end}")))?;
    }
    Ok(Status::Fine)
}

/// Explains a model by what it answers. The text is its profile, the explanation its comment: it can be used as it is.
fn explain(name: &str, common: Common) -> Outcome {
    let found = Profile::all().find(|(known, _)| *known == name);
    let Some((text, profile)) = found.and_then(|(name, text)| Some((text, Profile::named(name)?))) else {
        let names: Vec<&str> = Profile::all().map(|(name, _)| *name).collect();
        return Err(Failure::usage(unknown("driver", name, &names)));
    };
    let samples = profile.samples();
    if common.json {
        let figures = |info: &AllocInfo| match info.size_bytes {
            u64::MAX => Value::Null,
            size_bytes => json!({"size_bytes": size_bytes, "alignment_bytes": info.alignment_bytes}),
        };
        let sample = |sample: &Sample| {
            json!({
                "resource": sample.what,
                "without_flag": figures(&sample.classic),
                "tight_placed": figures(&sample.placed),
                "tight_committed": figures(&sample.committed),
            })
        };
        let samples: Vec<Value> = samples.iter().map(sample).collect();
        print_json(&json!({"profile": profile, "samples": samples}))?;
        return Ok(Status::Fine);
    }
    let mut told = format!(
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
    told += &table(&["resource", "without the flag", "tight, placed", "tight, committed"], &[1, 2, 3], rows);
    for id in &profile.fails {
        let title = conformance::check(id).map_or("", |check| check.title);
        told += &format!("\nIt fails check {id} on purpose: {title}.\n");
    }
    let comment: String = told.lines().map(|line| format!("# {line}").trim_end().to_owned() + "\n").collect();
    print(&format!("{comment}\n{text}"))?;
    Ok(Status::Fine)
}
