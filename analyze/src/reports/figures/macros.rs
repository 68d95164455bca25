//! The macro that declares figures.

/// Declares a struct of figures, one line per figure: name, type, unit and sentence.
///
/// ```text
/// figures! {
///     /// A heap or resource that is not released at the end of the recording.
///     #[derive(Debug, Clone, PartialEq, Eq)]
///     pub struct LeakFigures {
///         object: u64, Id, "Handle of the heap or resource.";
///         name: String, Text, same;
///         size_bytes: u64, Bytes, "Size of a heap, SizeInBytes of a resource.";
///     }
/// }
/// ```
///
/// * `same` in place of the sentence: another struct of the report has it, because a key has one meaning in its report.
/// * `flat`: the figures of a struct that serde flattens.
/// * `contributors = f`: a function that formats the largest contributors to the figure and to all figures below it.
/// * `parts = p`: the amounts by which resources and heaps add up to the figure; they are its contributors.
/// * `unless snapshot`: the figure of a snapshot is null.
/// * `after key`: the place of the key in the documentation, if it is not that of the line.
///
/// The result has the fields, `Serialize`, the lines as `FigureValue`, and `KEY`: the names in JSON as fields, so that code that
/// reads JSON does not compile after a renaming. `impl Struct { … }` adds lines to a struct of another module; each
/// of its fields needs one.
macro_rules! figures {
    (impl $Name:ident { $($key:ident: $value:ty, $unit:ident, $meaning:tt $(, parts = $parts:expr)? $(, unless $snapshot:ident)? $(, after $after:ident)?;)* }) => {
        impl $crate::reports::figures::FigureValue for $Name {
            const LINES: &'static [$crate::reports::figures::FigureLine] = &[$(
                $crate::reports::figures::figures!(@line $key, $value, $unit, $meaning $(, parts = $parts)? $(, unless $snapshot)? $(, after $after)?),
            )*];
        }

        const _: fn(&$Name) = |all| {
            // A field without a line is a compile error.
            let $Name { $($key: _),* } = all;
        };
    };
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Name:ident {
            $(
                $(#[$attribute:meta])*
                $key:ident: $value:ty, $unit:ident, $meaning:tt
                    $(, contributors = $contributors:expr)?
                    $(, parts = $parts:expr)?
                    $(, unless $snapshot:ident)?
                    $(, after $after:ident)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(serde::Serialize)]
        $visibility struct $Name {
            $( $(#[$attribute])* #[doc = $crate::reports::figures::figures!(@doc $meaning)] pub $key: $value, )*
        }

        impl $crate::reports::figures::FigureValue for $Name {
            const LINES: &'static [$crate::reports::figures::FigureLine] = &[$(
                $crate::reports::figures::figures!(
                    @line $key, $value, $unit, $meaning
                    $(, contributors = $contributors)?
                    $(, parts = $parts)?
                    $(, unless $snapshot)?
                    $(, after $after)?
                ),
            )*];
        }

        const _: () = {
            #[allow(dead_code)]
            pub struct Keys { $( pub $key: &'static str, )* }

            impl $Name {
                /// Names of the figures in JSON.
                #[allow(dead_code)]
                pub(in crate::reports) const KEY: Keys = Keys { $( $key: stringify!($key), )* };
            }
        };
    };
    (@line $key:ident, $value:ty, $unit:ident, $meaning:tt
        $(, contributors = $contributors:expr)? $(, parts = $parts:expr)? $(, unless $snapshot:ident)? $(, after $after:ident)?
    ) => {
        $crate::reports::figures::FigureLine {
            meaning: $crate::reports::figures::figures!(@meaning $meaning),
            is_flat: $crate::reports::figures::figures!(@flat $meaning),
            $( contributors: Some($contributors), )?
            $( parts: Some($parts), )?
            $( needs_creations: $crate::reports::figures::figures!(@$snapshot), )?
            $( after: Some(stringify!($after)), )?
            ..$crate::reports::figures::FigureLine::new(
                stringify!($key),
                $crate::reports::figures::Unit::$unit,
                <$value as $crate::reports::figures::FigureValue>::LINES,
            )
        }
    };
    (@doc $meaning:literal) => { $meaning };
    (@doc same) => { "As elsewhere in the report." };
    (@doc flat) => { "Figures of the same JSON object." };
    (@meaning $meaning:literal) => { Some($meaning) };
    (@meaning $other:ident) => { None };
    (@flat flat) => { true };
    (@flat $other:tt) => { false };
    (@snapshot) => { true };
}
pub(in crate::reports) use figures;

/// Declares types that are single values in JSON.
macro_rules! single_values {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::reports::figures::FigureValue for $type {
            const LINES: &'static [$crate::reports::figures::FigureLine] = &[];
        })*
    };
}
pub(in crate::reports) use single_values;
