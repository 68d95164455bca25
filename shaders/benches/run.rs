//! Speed of interpreter and machine code, and cost of compilation and specialisation, for each bundled shader.
#![allow(clippy::expect_used, missing_docs)]

use divan::Bencher;
use divan::counter::ItemsCount;
use taut_shaders::{BUNDLED, Bundled, Compiled, Grid, Material, Unrolling, Word, interpret, specialise};

fn main() {
    divan::main();
}

fn names() -> impl Iterator<Item = &'static str> {
    BUNDLED.iter().map(|bundled| bundled.name)
}

fn usual(name: &str) -> (Material, Grid, Vec<Word>) {
    let bundled = Bundled::named(name).expect("a name of the table");
    let material = bundled.material().expect("bundled shaders are well-formed");
    let grid = Grid::sample(&material.shader, material.lanes, 1).expect("few lanes");
    let constants = material.constants(0);
    (material, grid, constants)
}

#[divan::bench(args = names())]
fn interpreted(bencher: Bencher<'_, '_>, name: &str) {
    let (material, grid, constants) = usual(name);
    let lanes = ItemsCount::new(grid.lanes());
    bencher.counter(lanes).bench(|| interpret(&material.shader, &constants, &grid));
}

#[divan::bench(args = names())]
fn compiled(bencher: Bencher<'_, '_>, name: &str) {
    let (material, grid, constants) = usual(name);
    let code = Compiled::new(&material.shader).expect("a back end for this machine");
    let lanes = ItemsCount::new(grid.lanes());
    bencher.counter(lanes).bench(|| code.run(&constants, &grid));
}

#[divan::bench(args = names())]
fn compiled_variant(bencher: Bencher<'_, '_>, name: &str) {
    let (material, grid, constants) = usual(name);
    let variant = specialise(&material.shader, &material.stable(), Unrolling::default()).expect("declared slots");
    let code = Compiled::new(&variant.shader).expect("a back end for this machine");
    let lanes = ItemsCount::new(grid.lanes());
    bencher.counter(lanes).bench(|| code.run(&constants, &grid));
}

#[divan::bench(args = names())]
fn specialising(bencher: Bencher<'_, '_>, name: &str) {
    let (material, ..) = usual(name);
    bencher.bench(|| specialise(&material.shader, &material.stable(), Unrolling::default()));
}

#[divan::bench(args = names(), sample_count = 20)]
fn compiling(bencher: Bencher<'_, '_>, name: &str) {
    let (material, ..) = usual(name);
    bencher.bench(|| Compiled::new(&material.shader));
}
