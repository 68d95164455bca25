//! Scenarios as files: read, played beside the workloads that make the same calls, and refused.

use super::expression::{Expression, Variables};
use super::{ScenarioError, ScenarioFile};
use crate::workloads::memory_session::{Event, MemorySession};
use crate::workloads::{Parameters, WORKLOADS, WorkloadError, run};
use std::path::{Path, PathBuf};
use taut_runtime::Profile;
use taut_schemas::{Call, Decoder, Mark, d3d12, mark, win32};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenarios")
}

fn bundled(name: &str) -> ScenarioFile {
    ScenarioFile::read(&folder().join(format!("{name}.toml"))).unwrap()
}

/// What is called. Phases are left out, which may have any names, and so are events: a file has those that it names.
fn calls(session: &MemorySession) -> Vec<(&'static str, Vec<u8>)> {
    let left_out = [mark::WorkloadPhase::NAME, win32::CreateEvent::NAME, win32::CloseHandle::NAME];
    let events = session.events().into_iter().filter(|event| !left_out.contains(&event.name));
    events.map(|Event { name, row, .. }| (name, row)).collect()
}

#[test]
fn the_documents_scenarios_make_the_calls_of_the_workloads() {
    let texts = [
        ("turn-off", "turn-off", ("developer_mode", "on")),
        ("benchmark-priming", "benchmark-priming", ("text", "corrected")),
        ("benchmark-priming-verbatim", "benchmark-priming", ("text", "verbatim")),
        ("benchmark-priming-2019", "benchmark-priming", ("text", "2019")),
        ("pix-single-frame", "pix-single-frame", ("text", "corrected")),
        ("pix-single-frame-verbatim", "pix-single-frame", ("text", "verbatim")),
        ("skip-training", "skip-training", ("asks", "yes")),
    ];
    for driver in ["reference", "legacy"] {
        for (file, workload, (key, value)) in texts {
            let (played, expected) = (MemorySession::of(driver), MemorySession::of(driver));
            bundled(file).run(&played).unwrap();
            let known = WORKLOADS.iter().find(|known| known.name == workload).unwrap();
            let given = [(key.to_owned(), value.to_owned())].into();
            run(workload, &expected, &Parameters::new(known.parameters, given).unwrap()).unwrap();
            let (played, expected) = (calls(&played), calls(&expected));
            let other = played.iter().zip(&expected).position(|(played, expected)| played != expected);
            let at = other.map(|at| (at, &played[at], &expected[at]));
            assert_eq!((played.len(), at), (expected.len(), None), "{file}, {driver}");
        }
    }
}

#[test]
fn every_bundled_scenario_runs_under_every_driver_and_leaves_nothing() {
    let files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 8);
    for file in files {
        let scenario = ScenarioFile::read(&file).unwrap();
        for driver in ["reference", "legacy", "pgo-0062", "dgpu"] {
            let session = MemorySession::under(&Profile::named(driver).unwrap());
            scenario.run(&session).unwrap();
            assert_eq!(session.live_objects(), 0, "{}, {driver}", file.display());
            let phases = session.events().iter().filter(|event| event.name == mark::WorkloadPhase::NAME).count();
            assert_eq!(phases, 2 * (scenario.phases.len() + 1));
        }
    }
}

fn parse(steps: &str) -> Result<ScenarioFile, ScenarioError> {
    let text = format!("name = \"mine\"\n[[phase]]\nname = \"measured\"\nsteps = [\n{steps}\n]\n");
    ScenarioFile::parse(&text, "mine.toml", &folder())
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let told = [
        "{ paly = \"bundled\" }",
        "{ play = \"bundeld\" }",
        "{ play = \"lighting\", farmes = 3 }",
        "{ play = \"lighting\", frames = \"3\" }",
        "{ play = \"lighting\", frame = \"frmae + 1\" }",
        "{ play = \"lighting\", frame = \"1 +\" }",
        "{ play = \"lighting\", frame = \"(1\" }",
        "{ play = \"lighting\", frame = \"mni(1, 2)\" }",
        "{ play = \"lighting\", frame = \"min(1)\" }",
        "{ play = \"lighting\", constants = { \"light.count\" = 3 } }",
        "{ play = \"lighting\", constants = { \"lights.count\" = \"1 2\" } }",
        "{ play = \"no/such.toml\" }",
        "{ set_mode = \"ALOWED\" }",
        "{ set_mode = \"ALLOWED\", action = \"COMMIT\" }",
        "{ set_mode = \"ALLOWED\", event = 3 }",
        "{ set_mode = \"ALLOWED\", event = \"done\" },\n{ wait = \"doen\" }",
        "{ wait = \"done\" }",
        "{ drain = false }",
        "{ drain = true, play = \"bundled\" }",
        "{ when = 1 }",
        "{ repeat = 3 }",
        "{ repeat = 3, steps = [\n    { repeat = -1, steps = [] } ] }",
        "{ repeat = 3, steps = [\n    { play = \"lighting\", drwas = 3 } ] }",
        "{ drain = true",
    ];
    let told = told.map(|steps| {
        let error = parse(steps).unwrap_err().to_string();
        // The rest is what the system says.
        format!(
            "{steps}\n    {}",
            error.split(" (os error").next().unwrap_or_default().replace(folder().to_str().unwrap(), "")
        )
    });
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn what_is_wrong_with_a_whole_file_is_told() {
    let phase = "[[phase]]\nname = \"a\"\n";
    let told = [
        String::new(),
        "name = \"mine\"".to_owned(),
        "name = \"mine\"\n[[phase]]\nsteps = []".to_owned(),
        format!("name = \"mine\"\n{phase}"),
        format!("name = \"mine\"\n{phase}steps = []\n[[phase.thread]]\nsteps = []"),
        format!("name = \"mine\"\n{phase}threads = 65\nsteps = []"),
        format!("name = \"mine\"\n{phase}threads = 2\nsteps = [{{ destroy = true }}]"),
        format!("name = \"mine\"\n[shaders]\nhall = [\"lightning\"]\n{phase}steps = []"),
        format!("name = \"mine\"\n[shaders]\nhall = 3\n{phase}steps = []"),
        format!("nmae = \"mine\"\n{phase}steps = []"),
    ];
    let told = told.map(|text| {
        let error = ScenarioFile::parse(&text, "mine.toml", &folder()).unwrap_err();
        format!("{text}\n    {error}")
    });
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn a_step_that_cannot_be_taken_is_told_with_its_line() {
    let told = |steps: &str| {
        let session = MemorySession::of("reference");
        match parse(steps).unwrap().run(&session).unwrap_err() {
            WorkloadError::Step { origin, line, what } => format!("{origin}:{line}: {what}"),
            other => panic!("{other}"),
        }
    };
    let told = [
        "{ release = \"lighting\" },\n{ play = \"lighting\" }",
        "{ release = \"lighting\" },\n{ release = \"lighting\" }",
        "{ repeat = 2, steps = [\n    { create = \"lighting\" },\n] }",
        "{ set_mode = \"ALLOWED\", refusal = \"required\" }",
        "{ set_mode = 4 }",
        "{ developer_mode = false },\n{ set_mode = \"DISABLE_BACKGROUND_WORK\" }",
    ]
    .map(told);
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn a_destroyed_device_is_followed_by_another() {
    let session = MemorySession::of("reference");
    let steps =
        "{ repeat = 3, steps = [ { play = \"lighting\", frames = 2 }, { destroy = true }, { destroy = true } ] }";
    parse(steps).unwrap().run(&session).unwrap();
    let count = |name: &str| session.events().iter().filter(|event| event.name == name).count();
    assert_eq!((count("CreateDevice"), count("ReleaseDevice"), count("Present")), (3, 3, 6));
    assert_eq!(session.live_objects(), 0);
}

#[test]
fn constants_are_what_their_expressions_say() {
    let session = MemorySession::of("reference");
    let scenario =
        parse("{ play = \"../glow.toml\", frames = 3, constants = { layers = \"2 + frame * 2\", falloff = 0.5 } }");
    scenario.unwrap().run(&session).unwrap();
    let set: Vec<Event> =
        session.events().into_iter().filter(|event| event.name == "SetGraphicsRoot32BitConstants").collect();
    let words: Vec<[u32; 3]> = set
        .iter()
        .map(|event| {
            let call = d3d12::SetGraphicsRoot32BitConstants::decode(&mut Decoder::new(&event.row)).unwrap();
            call.src_data.try_into().unwrap()
        })
        .collect();
    let expected =
        [0.0_f32, 1.0, 2.0].map(|frame| [0.5_f32.to_bits(), (frame / 1024.0).to_bits(), 2 + frame as u32 * 2]);
    assert_eq!(words, expected);
}

#[test]
fn expressions_bind_as_in_c() {
    let variables = Variables { frame: 5.0, draw: 3.0, pass: 1.0, thread: 2.0, further: 1.0, supported: 0.0 };
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("10 - 3 - 2", 5.0),
        ("frame % 4 == 1 && pass", 1.0),
        ("-frame % 4", 3.0),
        ("!further || supported", 0.0),
        ("1 < 2 == 2 > 1", 1.0),
        ("if(thread >= 2, min(frame, 3), max(1, 2))", 3.0),
        ("floor(7 / 2) + abs(-1) - sqrt(4)", 2.0),
        ("noise(frame) >= 0 && noise(frame) < 1 && noise(1) != noise(2)", 1.0),
        ("- - 1", 1.0),
        ("draw % 2", 1.0),
    ] {
        assert_eq!(Expression::parse(text).unwrap().value(&variables), expected, "{text}");
    }
}

#[test]
fn no_text_brings_the_reader_down() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
    for text in [deep("(", ")"), deep("-", ""), deep("1+(", ")"), deep("floor(", ")")] {
        assert!(Expression::parse(&text).is_err());
    }
    // Chains are not depth.
    assert!(Expression::parse("1+".repeat(1000).replace("1+1+", "1+2*").trim_end_matches(['+', '*'])).is_ok());
}
