//! Tests of shaders that a driver rejects, and of drivers without background processing.

use super::bench::{DriverBench, material};
use crate::driver::profile::Profile;
use taut_schemas::{
    BackgroundProcessingMode as Mode, CallbackCall, HResultCode, MeasurementsAction as Action, VariantId, d3d12_ddi,
};

#[test]
fn shaders_that_break_a_rule_of_the_form_are_refused() {
    let whole = serde_json::to_string(&material("tone-map").shader).unwrap();
    let mut bench = DriverBench::of(None, Default::default());
    let out_of_range = whole.replacen("\"slot\":0", "\"slot\":99", 1);
    assert_ne!(out_of_range, whole);
    for broken in ["", "{}", "[[[", &whole[..whole.len() / 2], &out_of_range] {
        assert_eq!(bench.create_of(1, broken.as_bytes().to_vec()), Err(HResultCode::E_INVALIDARG), "{broken}");
    }
    assert_eq!(bench.create_of(1, whole.into_bytes()), Ok(()));
}

#[test]
fn b09_a_driver_without_background_processing_draws_and_desires_nothing() {
    let (mut bench, material) = (DriverBench::of(None, Default::default()), material("lighting"));
    bench.create(1, &material);
    bench.repeat(300, &(1, 4, material.constants(0)));
    assert!(!bench.set(Mode::ALLOWED, Action::COMMIT_RESULTS));
    let run = bench.draw(&[(1, 64, material.constants(0))])[0];
    assert_eq!((run.variant, run.executed), (VariantId::NULL, run.generic_executed));
    assert!(run.executed > 0 && bench.fake.queued.is_empty() && bench.driver_state().submissions.is_empty());
}

#[test]
fn draws_with_unknown_pipeline_states_run_nothing() {
    let (mut bench, material) = (DriverBench::new(Default::default()), material("tone-map"));
    bench.create(1, &material);
    let runs = bench.draw(&[(7, 4, vec![]), (1, 4, vec![]), (1, 4, vec![Default::default(); 100]), (1, 0, vec![])]);
    assert_eq!(runs[0].executed, 0);
    assert_eq!(runs[1], runs[2], "constants that were not set are zero, more than are declared do not matter");
    assert_eq!((runs[1].executed > 0, runs[3].executed), (true, 0));
}

#[test]
fn both_versions_of_the_interface_do_the_same() {
    let (mut bench, material) = DriverBench::with(super::bench::quick(), Default::default(), "tone-map");
    bench.draw(&[(1, 4, material.constants(0))]);
    let (mode, measurements_action) = (Mode::ALLOWED, Action::COMMIT_RESULTS);
    let call = d3d12_ddi::SetBackgroundProcessingMode0062 { mode, measurements_action };
    call.dispatch(&*bench.driver(), &mut bench.fake, ());
    assert_eq!(bench.fake.queued.len(), 1);
}

#[test]
fn profiles_that_no_driver_could_have_are_refused() {
    let head = "name = \"own\"\nddi_version = \"0115\"\n";
    let supported = "[caps]\nbackground_processing = true\n";
    let cases = [
        (format!("{head}{supported}"), "caps.background_processing"),
        (format!("{head}[background]\n"), "caps.background_processing"),
        (format!("{head}{supported}[background]\nddi_version = \"0061\"\n"), "background.ddi_version"),
        (format!("{head}{supported}[background]\nn_min = 0\n"), "background.n_min"),
        (format!("{head}{supported}[background]\nstable_share_permille = 500\n"), "background.stable_share_permille"),
        (format!("{head}{supported}[background]\nsampling_intervall = 2\n"), "background.sampling_intervall"),
        (format!("{head}[faults]\nfinds_for_ever = true\n"), "faults.finds_forever"),
    ];
    for (text, key) in cases {
        let error = Profile::parse(&text, "own.toml").unwrap_err();
        assert_eq!(error.key, key, "{error}");
    }
    let own = format!("{head}{supported}[background]\nddi_version = \"0062\"\nn_min = 5\n");
    assert_eq!(Profile::parse(&own, "own.toml").unwrap().background.unwrap().n_min, 5);
    assert!(Profile::named("reference").unwrap().background.is_some());
}
