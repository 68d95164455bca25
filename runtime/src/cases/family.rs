//! Who knows the calls of an interface.

use super::arguments::Arguments;
use super::found::Answer;

/// Makes the calls of an interface on a runtime of its own.
pub(super) trait CallFamily {
    /// Makes a call.
    ///
    /// # Errors
    /// What is wrong with the step, in words: an argument that is none.
    fn call(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String>;
}

/// A call of the vocabulary: its name, whether it is called on something, its arguments, and what can be expected of it besides
/// what can of any.
pub(super) struct CallWord {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub expects: &'static [&'static str],
}

/// The words of a family, a call a line: its name, its arguments, what can be expected of it.
macro_rules! words {
    ($( $Name:ident [$($argument:ident)*] [$($expect:ident)*]; )*) => {
        /// Every call.
        pub(in crate::cases) const CALLS: &[CallWord] = &[ $( CallWord {
            name: stringify!($Name),
            arguments: &[ $( stringify!($argument) ),* ],
            expects: &[ $( stringify!($expect) ),* ],
        } ),* ];
    };
}

pub(super) use words;
