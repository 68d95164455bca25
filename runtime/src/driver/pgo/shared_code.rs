//! Machine code shared by the worlds of a process: a shader is compiled once, and equal draws are executed once.
//!
//! Code depends on the shader's text only, and results on constants and grid, so sharing is visible in time only. A
//! live session and a replay of the recorded world do not share code, because their compile times are measured.

use super::machine_code::MachineCode;
use super::runs::Runs;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use taut_shaders::Shader;

/// Maximum number of shaders whose code is stored. Later shaders are compiled for their world alone.
const MAX_SHADERS: usize = 4096;

/// Capacity of the run caches in constants: 64 MiB.
const MAX_CONSTANTS: usize = 1 << 24;

std::thread_local! {
    /// Cache that drivers on this thread use.
    static CURRENT: RefCell<Option<Arc<SharedCode>>> = const { RefCell::new(None) };
}

/// Cache of compiled shaders and of the results of their draws.
pub struct SharedCode {
    /// Compiled shaders by the hash of their text.
    codes: Mutex<HashMap<u64, Vec<Arc<MachineCode>>>>,
    room: Arc<AtomicUsize>,
}

impl Default for SharedCode {
    fn default() -> Self {
        SharedCode { codes: Mutex::default(), room: Arc::new(AtomicUsize::new(MAX_CONSTANTS)) }
    }
}

impl SharedCode {
    /// Runs a function; drivers that it calls use this cache.
    pub fn within<T>(self: &Arc<Self>, run: impl FnOnce() -> T) -> T {
        /// Guard that restores the previous cache, also on a panic.
        struct Before(Option<Arc<SharedCode>>);

        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.replace(self.0.take());
            }
        }

        let _before = Before(CURRENT.replace(Some(Arc::clone(self))));
        run()
    }

    /// Returns this thread's cache, for work that is moved to another thread.
    pub fn current() -> Option<Arc<SharedCode>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Returns the code of a shader, compiled at most once unless the cache is full.
    pub(super) fn code(&self, shader: Arc<Shader>) -> Arc<MachineCode> {
        let hash = shader.text_hash();
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        // Equal hashes do not prove equal shaders, so the shaders are compared.
        let known = codes.get(&hash).and_then(|candidates| candidates.iter().find(|code| *code.shader == *shader));
        if let Some(known) = known {
            return Arc::clone(known);
        }
        let code = Arc::new(MachineCode::of(shader, Some(Runs::with(&self.room))));
        if codes.len() < MAX_SHADERS {
            codes.entry(hash).or_default().push(Arc::clone(&code));
        }
        code
    }
}

impl fmt::Debug for SharedCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SharedCode").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Code;
    use super::*;
    use taut_shaders::{BUNDLED, Grid};

    #[test]
    fn code_is_shared_within_and_nowhere_else() {
        let shader = || Arc::new(BUNDLED[0].material().unwrap().shader);
        let compile = || Code::new(shader());
        let shared = Arc::new(SharedCode::default());
        let (one, other) = shared.within(|| (compile(), compile()));
        assert!(one.is_same_as(&other) && one.is_same_as(&shared.within(compile)));
        assert!(!compile().is_same_as(&one) && !compile().is_same_as(&compile()));
        let another = Arc::new(SharedCode::default());
        assert!(!shared.within(|| another.within(compile)).is_same_as(&one));
        assert!(
            shared.within(|| std::thread::scope(|scope| scope.spawn(SharedCode::current).join().unwrap())).is_none()
        );
        assert!(std::panic::catch_unwind(|| shared.within(|| panic!("out of luck"))).is_err());
        assert!(SharedCode::current().is_none());
    }

    #[test]
    fn no_more_shaders_are_stored_than_the_maximum() {
        let shared = Arc::new(SharedCode::default());
        let shader = BUNDLED[0].material().unwrap().shader;
        for hash in 0..MAX_SHADERS as u64 {
            let code = Arc::new(MachineCode::of(Arc::new(shader.clone()), None));
            shared.codes.lock().unwrap().insert(hash, vec![code]);
        }
        let compile = || shared.within(|| Code::new(Arc::new(shader.clone())));
        assert!(!compile().is_same_as(&compile()));
    }

    #[test]
    fn cached_draws_equal_uncached_ones() {
        let material = BUNDLED[0].material().unwrap();
        let shared = Arc::new(SharedCode::default());
        let code = shared.within(|| Code::new(Arc::new(material.shader.clone())));
        let alone = Code::new(Arc::new(material.shader.clone()));
        for lanes in [64, 32, 64] {
            let grid = Arc::new(Grid::sample(&material.shader, lanes, 7).unwrap());
            for frame in [0, 1, 0] {
                let constants = material.constants(frame);
                let ran = code.ran(&constants, &grid).unwrap();
                assert_eq!(ran, alone.ran(&constants, &grid).unwrap());
                // The cache has the result, so the function that would run is not called.
                assert_eq!(code.known(&constants, &grid), Some(ran));
            }
        }
        assert!(code.ran(&[], &Arc::new(Grid::sample(&material.shader, 1, 7).unwrap())).is_none());
        shared.room.store(0, std::sync::atomic::Ordering::Relaxed);
        let (grid, constants) = (Arc::new(Grid::sample(&material.shader, 8, 7).unwrap()), material.constants(9));
        assert_eq!(code.ran(&constants, &grid), alone.ran(&constants, &grid));
        assert_eq!(code.known(&constants, &grid), None, "there is no room for more");
    }
}
