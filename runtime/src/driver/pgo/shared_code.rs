//! Machine code that worlds of one process share: what several of them draw with is compiled once, and what several draw alike is run
//! once.
//!
//! Code follows from a shader's text alone, and what it does from its constants and grid, so nobody can tell but by the time it takes. A live session, whose compiles are real,
//! shares nothing, nor does a replay of the recorded world.

use super::code::MachineCode;
use super::runs::Runs;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use taut_shaders::Shader;

/// Most shaders whose code is kept. What comes later is compiled for its world alone.
const MOST_SHADERS: usize = 4096;

/// Most constants by which runs are kept: 64 MiB.
const MOST_CONSTANTS: usize = 1 << 24;

std::thread_local! {
    /// What drivers on this thread share code by.
    static CURRENT: RefCell<Option<Arc<SharedCode>>> = const { RefCell::new(None) };
}

/// The code of shaders so far, and what draws by it did.
pub struct SharedCode {
    /// By the hash of the shader's text.
    codes: Mutex<HashMap<u64, Vec<Arc<MachineCode>>>>,
    room: Arc<AtomicUsize>,
}

impl Default for SharedCode {
    fn default() -> Self {
        SharedCode { codes: Mutex::default(), room: Arc::new(AtomicUsize::new(MOST_CONSTANTS)) }
    }
}

impl SharedCode {
    /// Runs something; what drivers compile in it is shared with all that is run so.
    pub fn within<T>(self: &Arc<Self>, run: impl FnOnce() -> T) -> T {
        /// Puts back what was before, whatever comes of it.
        struct Before(Option<Arc<SharedCode>>);

        impl Drop for Before {
            fn drop(&mut self) {
                CURRENT.replace(self.0.take());
            }
        }

        let _before = Before(CURRENT.replace(Some(Arc::clone(self))));
        run()
    }

    /// What code is shared by on this thread: for work that is done on another one.
    pub fn current() -> Option<Arc<SharedCode>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// The code of a shader.
    pub(super) fn code(&self, shader: Arc<Shader>) -> Arc<MachineCode> {
        let hash = shader.text_hash();
        let mut codes = self.codes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = codes.get(&hash).and_then(|alike| alike.iter().find(|code| *code.shader == *shader));
        if let Some(known) = known {
            return Arc::clone(known);
        }
        let code = Arc::new(MachineCode::of(shader, Some(Runs::with(&self.room))));
        if codes.len() < MOST_SHADERS {
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
        let made = || Code::new(shader());
        let shared = Arc::new(SharedCode::default());
        let (one, other) = shared.within(|| (made(), made()));
        assert!(one.is_same_as(&other) && one.is_same_as(&shared.within(made)));
        assert!(!made().is_same_as(&one) && !made().is_same_as(&made()));
        let another = Arc::new(SharedCode::default());
        assert!(!shared.within(|| another.within(made)).is_same_as(&one));
        assert!(
            shared.within(|| std::thread::scope(|scope| scope.spawn(SharedCode::current).join().unwrap())).is_none()
        );
        assert!(std::panic::catch_unwind(|| shared.within(|| panic!("out of luck"))).is_err());
        assert!(SharedCode::current().is_none());
    }

    #[test]
    fn no_more_shaders_are_kept_than_promised() {
        let shared = Arc::new(SharedCode::default());
        let shader = BUNDLED[0].material().unwrap().shader;
        for hash in 0..MOST_SHADERS as u64 {
            let code = Arc::new(MachineCode::of(Arc::new(shader.clone()), None));
            shared.codes.lock().unwrap().insert(hash, vec![code]);
        }
        let made = || shared.within(|| Code::new(Arc::new(shader.clone())));
        assert!(!made().is_same_as(&made()));
    }

    #[test]
    fn what_was_drawn_before_is_known_and_is_what_it_is_without() {
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
                // Known now, whoever else would run: nobody is asked.
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
