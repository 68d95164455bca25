//! Interface families of test cases.

use super::arguments::Arguments;
use super::found::Answer;

/// Executor of an interface's calls on a runtime of its own.
pub(super) trait CallFamily {
    /// Executes a call.
    ///
    /// # Errors
    /// Text of the error in the step, such as an invalid argument.
    fn call(&mut self, call: &str, on: u64, arguments: &Arguments<'_>) -> Result<Answer, String>;
}

/// A call of the vocabulary: its name, whether it needs an object, its arguments, and its specific expectations.
pub(super) struct CallWord {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
    pub expects: &'static [&'static str],
}

/// Defines the vocabulary of a family, one call per line: name, arguments, specific expectations.
macro_rules! words {
    ($( $Name:ident [$($argument:ident)*] [$($expect:ident)*]; )*) => {
        /// All calls of the family.
        pub(in crate::cases) const CALLS: &[CallWord] = &[ $( CallWord {
            name: stringify!($Name),
            arguments: &[ $( stringify!($argument) ),* ],
            expects: &[ $( stringify!($expect) ),* ],
        } ),* ];
    };
}

pub(super) use words;
