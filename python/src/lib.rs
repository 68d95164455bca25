//! The Python module `tautline._tautline`: operations of `taut_app` and tables of `taut_tables` for the package `tautline`.
//!
//! A function starts its work on another thread, releases the interpreter's lock and polls for signals (`work`). A result
//! is JSON text with the keys of `taut --json`, which the package converts, or an Arrow stream (`arrow`). The module
//! installs no signal handler and no panic hook, and prints nothing. `python/tautline/__init__.py` has the public names.

mod arrow;
mod dump;
mod export;
mod failure;
mod listing;
mod operations;
mod progress;
mod query;
mod record;
mod recover;
mod replay;
mod trace;
mod windows;
mod work;

use pyo3::prelude::*;

/// Native part of the package `tautline`.
#[pymodule]
fn _tautline(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<trace::OpenTrace>()?;
    module.add_class::<trace::OpenLake>()?;
    module.add_class::<query::Batch>()?;
    module.add_class::<query::Batches>()?;
    module.add_function(wrap_pyfunction!(trace::open, module)?)?;
    module.add_function(wrap_pyfunction!(trace::open_lake, module)?)?;
    module.add_function(wrap_pyfunction!(work::remove_unfinished, module)?)?;
    module.add_function(wrap_pyfunction!(query::query, module)?)?;
    module.add_function(wrap_pyfunction!(operations::report, module)?)?;
    module.add_function(wrap_pyfunction!(operations::diff, module)?)?;
    module.add_function(wrap_pyfunction!(operations::hlk, module)?)?;
    module.add_function(wrap_pyfunction!(export::export, module)?)?;
    module.add_function(wrap_pyfunction!(record::record, module)?)?;
    module.add_function(wrap_pyfunction!(replay::replay, module)?)?;
    module.add_function(wrap_pyfunction!(recover::recover, module)?)?;
    module.add_function(wrap_pyfunction!(dump::dump, module)?)?;
    module.add_function(wrap_pyfunction!(listing::listed, module)?)?;
    module.add_function(wrap_pyfunction!(listing::schema, module)?)?;
    module.add_function(wrap_pyfunction!(listing::cache, module)?)?;
    module.add_function(wrap_pyfunction!(listing::answers, module)?)?;
    module.add_function(wrap_pyfunction!(listing::control, module)?)?;
    module.add_function(wrap_pyfunction!(windows::etl_info, module)?)?;
    module.add_function(wrap_pyfunction!(windows::etl_profile, module)?)?;
    module.add_function(wrap_pyfunction!(windows::import_etl, module)?)?;
    Ok(())
}
