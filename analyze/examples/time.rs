//! time
use std::time::Instant;
use taut_analyze::{Analysis, report};
fn main() {
    for _ in 0..5 {
    let t = Instant::now();
    let trace = taut_traces::Trace::open("/tmp/ma-an.taut").unwrap();
    let a = t.elapsed();
    let e = trace.extract(&Default::default()).unwrap();
    let b = t.elapsed();
    drop(e);
    let b1 = t.elapsed();
    let analysis = Analysis::new(&trace).unwrap();
    let c = t.elapsed();
    let r = report("alignment").unwrap().run(&analysis).unwrap();
    let d = t.elapsed();
    println!("open {a:?} extract-none {:?} drop {:?} new {:?} report {:?} json {}", b-a,b1-b, c-b1, d-c, r.json.to_string().len());
    }
}
