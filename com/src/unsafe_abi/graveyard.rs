//! Released objects, kept for a while: a client that uses one gets an error instead of other memory.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Number of objects kept.
const OBJECTS: usize = 1 << 16;

static GRAVEYARD: Mutex<VecDeque<Box<dyn Any + Send>>> = Mutex::new(VecDeque::new());

/// Keeps a released object, and frees the oldest one beyond the limit.
pub fn bury(object: Box<dyn Any + Send>) {
    let mut objects = GRAVEYARD.lock().unwrap_or_else(PoisonError::into_inner);
    objects.push_back(object);
    let oldest = (objects.len() > OBJECTS).then(|| objects.pop_front()).flatten();
    drop(objects);
    drop(oldest);
}
