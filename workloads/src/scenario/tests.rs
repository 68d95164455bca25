//! Scenario files: parsed, compared with the workloads that make the same calls, and rejected.

use super::expression::{Expression, Variables};
use super::{ScenarioError, ScenarioFile};
use crate::bundled::memory_session::{Event, MemorySession};
use crate::bundled::{Parameters, WORKLOADS, WorkloadError, run};
use std::path::{Path, PathBuf};
use taut_runtime::Profile;
use taut_schemas::{Call, Decoder, Mark, d3d12, mark, win32};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../testdata/scenarios")
}

fn bundled(name: &str) -> ScenarioFile {
    ScenarioFile::read(&folder().join(format!("{name}.toml"))).unwrap()
}

/// Returns the calls without phases, whose names differ, and without events, of which a file creates only those it
/// names.
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
        ("skip-training", "skip-training", ("queries_support", "yes")),
    ];
    for driver in ["reference", "legacy"] {
        for (file, workload, (key, value)) in texts {
            let (played, expected) = (MemorySession::with_driver(driver), MemorySession::with_driver(driver));
            bundled(file).run(&played).unwrap();
            let known = WORKLOADS.iter().find(|known| known.name == workload).unwrap();
            let overrides = [(key.to_owned(), value.to_owned())].into();
            run(workload, &expected, &Parameters::new(known.parameters, overrides).unwrap()).unwrap();
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
fn former_keys_of_steps_are_read_as_their_current_names() {
    let steps =
        |query: &str| parse(&format!("{{ {query}_support = true }},\n{{ set_mode = \"ALLOWED\", {query} = true }}"));
    let (former, current) = (steps("ask").unwrap(), steps("query").unwrap());
    assert_eq!(format!("{former:?}"), format!("{current:?}"));
    let parameters = |name: &str| {
        let known = WORKLOADS.iter().find(|known| known.name == "skip-training").unwrap();
        Parameters::new(known.parameters, [(name.to_owned(), "no".to_owned())].into()).unwrap()
    };
    assert_eq!(parameters("asks"), parameters("queries_support"));
}

#[test]
fn faults_are_reported_with_their_position() {
    let messages = [
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
    let messages = messages.map(|steps| {
        let error = parse(steps).unwrap_err().to_string();
        // The rest is the system's message.
        format!(
            "{steps}\n    {}",
            error.split(" (os error").next().unwrap_or_default().replace(folder().to_str().unwrap(), "")
        )
    });
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_fault_of_a_whole_file_is_reported() {
    let phase = "[[phase]]\nname = \"a\"\n";
    let messages = [
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
    let messages = messages.map(|text| {
        let error = ScenarioFile::parse(&text, "mine.toml", &folder()).unwrap_err();
        format!("{text}\n    {error}")
    });
    insta::assert_snapshot!(messages.join("\n\n"));
}

#[test]
fn a_failed_step_is_reported_with_its_line() {
    let messages = |steps: &str| {
        let session = MemorySession::with_driver("reference");
        match parse(steps).unwrap().run(&session).unwrap_err() {
            WorkloadError::Step { origin, line, what } => format!("{origin}:{line}: {what}"),
            other => panic!("{other}"),
        }
    };
    let messages = [
        "{ release = \"lighting\" },\n{ play = \"lighting\" }",
        "{ release = \"lighting\" },\n{ release = \"lighting\" }",
        "{ repeat = 2, steps = [\n    { create = \"lighting\" },\n] }",
        "{ set_mode = \"ALLOWED\", refusal = \"required\" }",
        "{ set_mode = 4 }",
        "{ developer_mode = false },\n{ set_mode = \"DISABLE_BACKGROUND_WORK\" }",
    ]
    .map(messages);
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_destroyed_device_is_followed_by_another() {
    let session = MemorySession::with_driver("reference");
    let steps =
        "{ repeat = 3, steps = [ { play = \"lighting\", frames = 2 }, { destroy = true }, { destroy = true } ] }";
    parse(steps).unwrap().run(&session).unwrap();
    let count = |name: &str| session.events().iter().filter(|event| event.name == name).count();
    assert_eq!((count("CreateDevice"), count("ReleaseDevice"), count("Present")), (3, 3, 6));
    assert_eq!(session.live_objects(), 0);
}

#[test]
fn constants_have_the_values_of_their_expressions() {
    let session = MemorySession::with_driver("reference");
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
fn no_text_makes_the_reader_panic() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
    for text in [deep("(", ")"), deep("-", ""), deep("1+(", ")"), deep("floor(", ")")] {
        assert!(Expression::parse(&text).is_err());
    }
    // A chain of operators becomes a tree as deep as the chain is long.
    let chain = |operators: usize| Expression::parse(&("1+".repeat(operators) + "1"));
    assert_eq!(chain(500).unwrap().value(&Variables::default()), 501.0);
    let refused = chain(501).unwrap_err();
    assert_eq!(refused.expected, "at most 500 operators, signs and calls in an expression");
    assert!(chain(100_000).is_err());
    let long = Expression::parse(&"x".repeat(100_000)).unwrap_err();
    assert!(long.found.len() < 200, "{}", long.found);
}

#[test]
fn c03_c12_steps_query_adapters_and_start_programs() {
    let run = |driver: &str, steps: &str| {
        let session = MemorySession::under(&Profile::named(driver).unwrap());
        parse(steps).unwrap().run(&session).map_err(|error| error.to_string())
    };
    let steps = "
        { query_adapter = \"WDDM_1_3_CAPS\", status = \"INVALID_HANDLE\" },
        { start_adapter = 1 },
        { query_adapter = \"CROSSADAPTERRESOURCE_SUPPORT\", value = 3 },
        { query_adapter = \"WDDM_1_3_CAPS\", size_bytes = 3, status = \"INVALID_PARAMETER\" },
        { query_adapter = 1000, status = \"INVALID_PARAMETER\" },
        { start_application = \"game.exe\", adapter = 1 }";
    assert_eq!(run("igpu-tier3", steps), Ok(()));
    let other = run("igpu-tier2", steps).unwrap_err();
    assert_eq!(other, "mine.toml:8: D3DKMTQueryAdapterInfo: expected SUCCESS with 3, found SUCCESS with 2");
    let other = run("igpu-tier3", "{ start_application = \"game.exe\", adapter = 2 }").unwrap_err();
    assert_eq!(other, "mine.toml:5: StartApplication: expected adapter 2, found adapter 1");
    let unknown = parse("{ query_adapter = \"NONESUCH\" }").unwrap_err().to_string();
    assert!(unknown.contains("query_adapter") && unknown.contains("WDDM_1_3_CAPS"), "{unknown}");
}
