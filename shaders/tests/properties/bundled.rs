//! Tests that the bundled shaders have the gains of their table.

use std::collections::BTreeSet;

use taut_shaders::{BUNDLED, Bundled, Compiled, Expected, Gain, Grid, Unrolling, interpret, specialise};

#[test]
fn gains_match_the_table() {
    let mut table = vec![format!("{:18}{:>7}{:>7}{:>7}{:>9}", "shader", "before", "after", "guard", "permille")];
    for bundled in BUNDLED {
        let material = bundled.material().unwrap();
        let variant = specialise(&material.shader, &material.stable(), Unrolling::default()).unwrap();
        let grid = Grid::sample(&material.shader, material.lanes, 1).unwrap();
        let gain = Gain::measure(&material.shader, &variant, &material.constants(0), &grid).unwrap();
        let (name, guard) = (bundled.name, variant.guard.cost());
        table.push(format!("{name:18}{:>7}{:>7}{guard:>7}{:>9}", gain.before, gain.after, gain.permille()));
        match bundled.expected {
            Expected::Gain { min_permille } => assert!(gain.permille() >= min_permille, "{name}: {gain:?}"),
            Expected::Nothing => {
                assert!(variant.is_generic() && gain.before == gain.after, "{name}: {gain:?}\n{}", variant.shader);
            }
            Expected::Loss => {
                assert!(gain.after > gain.before && gain.after - guard < gain.before, "{name}: {gain:?}");
            }
        }
    }
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn every_way_to_run_them_gives_the_same_in_every_frame() {
    for bundled in BUNDLED {
        let material = bundled.material().unwrap();
        let variant = specialise(&material.shader, &material.stable(), Unrolling::default()).unwrap();
        let [generic, special] = [&material.shader, &variant.shader].map(|shader| Compiled::new(shader).unwrap());
        for frame in 0..20 {
            let constants = material.constants(frame);
            let grid = Grid::sample(&material.shader, material.lanes, u64::from(frame)).unwrap();
            let reference = interpret(&material.shader, &constants, &grid).unwrap();
            assert_eq!(generic.run(&constants, &grid).unwrap(), reference, "{}", bundled.name);
            assert!(variant.guard.holds(&constants), "{}", bundled.name);
            let run = special.run(&constants, &grid).unwrap();
            assert_eq!(run.outputs, reference.outputs, "{}", bundled.name);
            assert_eq!(run.output_hash(), reference.output_hash());
        }
    }
}

/// Hashes of outputs, text, and the variant's text. They are stored in traces: every processor must compute the same,
/// and so must every later version unless it changes `FORM_VERSION`.
#[test]
fn hashes_stay() {
    let hash = |bundled: &Bundled| {
        let material = bundled.material().unwrap();
        let grid = Grid::sample(&material.shader, material.lanes, 1).unwrap();
        let run = interpret(&material.shader, &material.constants(3), &grid).unwrap();
        assert!(run.outputs.iter().collect::<BTreeSet<_>>().len() > 1 || material.lanes == 1, "{}", bundled.name);
        let variant = specialise(&material.shader, &material.stable(), Unrolling::default()).unwrap();
        let (generic, special) = (material.shader.text_hash(), variant.shader.text_hash());
        format!("{:18}{:016x} {generic:016x} {special:016x}", bundled.name, run.output_hash())
    };
    insta::assert_snapshot!(BUNDLED.iter().map(hash).collect::<Vec<_>>().join("\n"));
}

#[test]
fn names_are_unique_and_found() {
    for bundled in BUNDLED {
        let found = Bundled::named(bundled.name).unwrap();
        assert_eq!(found.purpose, bundled.purpose);
        assert_eq!(found.material().unwrap().shader.name(), bundled.name);
    }
    assert!(Bundled::named("lightning").is_none());
}
