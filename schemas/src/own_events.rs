//! Events of a program's own, defined with [`events!`](crate::events), besides or without this project's lists.

use crate::event::{EventCode, Opcode};
use crate::family::Layer;
use crate::level::Level;
use crate::provider_schema::ProviderSchema;
use crate::row::Encoder;
use crate::schema::FieldSink;
use crate::table::{EventSchema, SchemaTable};

/// An event of a list defined with [`events!`](crate::events).
pub trait OwnEvent {
    /// The event's list.
    type List: EventList;
    /// The event's number in its list.
    const ID: u16;
    /// The event's name.
    const NAME: &'static str;
    /// The event's description.
    const DOC: &'static str;
    /// The event's severity.
    const LEVEL: Level;
    /// The event's keywords, as bits.
    const KEYWORDS: u64;

    /// Describes the event's fields.
    fn describe(sink: &mut FieldSink);

    /// Appends the event's fields to a row.
    fn encode(&self, encoder: &mut Encoder<'_>);
}

/// A list of events, which one provider emits.
pub trait EventList: 'static {
    /// The provider.
    fn provider() -> ProviderSchema;

    /// Passes each event to the visitor.
    fn visit(visitor: &mut ListVisitor<'_>);
}

/// Adds the events of a list to a table.
#[derive(Debug)]
pub struct ListVisitor<'t> {
    table: &'t mut SchemaTable,
    provider: String,
    base: u32,
    fits: bool,
}

impl ListVisitor<'_> {
    /// Adds an event.
    pub fn event<E: OwnEvent>(&mut self) {
        let Some(code) = own_code(self.base, E::ID) else {
            self.fits = false;
            return;
        };
        let mut sink = FieldSink::default();
        E::describe(&mut sink);
        self.table.add_codes(sink.codes);
        self.table.events.push(EventSchema {
            code,
            name: E::NAME.to_owned(),
            provider: self.provider.clone(),
            layer: Layer::Mark,
            opcode: Opcode::Info,
            level: E::LEVEL,
            keywords: E::KEYWORDS,
            etw: None,
            doc: E::DOC.trim().to_owned(),
            fields: sink.fields,
        });
    }
}

/// The code of event `id` of a list whose numbers start at `base` in a trace; `None` if the number exceeds the codes.
pub fn own_code(base: u32, id: u16) -> Option<EventCode> {
    let number = base.checked_add(id.into())?;
    // A code has 14 bits for the number, and two for the opcode.
    let id = u16::try_from(number).ok().filter(|id| *id <= u16::MAX >> 2)?;
    Some(EventCode::new(id, Opcode::Info))
}

impl SchemaTable {
    /// Adds a list after the table's events. Returns the offset of its events' numbers in this table, or `None` if the
    /// table has too few codes left.
    pub fn add_list<L: EventList>(&mut self) -> Option<u32> {
        let provider = L::provider();
        // Numbers follow those of the table, so that lists of several programs do not collide.
        let base = self.events.iter().map(|event| u32::from(event.code.id()) + 1).max().unwrap_or_default();
        let mut visitor = ListVisitor { provider: provider.name.clone(), table: self, base, fits: true };
        L::visit(&mut visitor);
        let fits = visitor.fits;
        self.providers.push(provider);
        self.events.sort_by_key(|event| event.code);
        self.codes.sort_by(|a, b| a.name.cmp(&b.name));
        fits.then_some(base)
    }
}

/// Defines a list of events: a type for the provider, and a struct for each event. A line has a number that is never
/// reused, a name, a level and keywords, and fields in the syntax of this project's lists. The type of a field is any
/// [`Field`](crate::Field), and a plain number may have a [`Role`](crate::Role).
///
/// ```
/// taut_schemas::events! {
///     /// Events of a level loader.
///     pub Loader = "level-loader", version 1, keywords { STREAMING = 1, EVICTION = 2 };
///
///     /// A tile is in memory.
///     1 TileLoaded [Info, STREAMING] {
///         /// Number of the tile.
///         tile: u32 as Count,
///         /// Sizes of its levels, in bytes.
///         mip_bytes: Vec<u64> as Size,
///     }
/// }
/// let loaded = TileLoaded { tile: 7, mip_bytes: vec![65536, 16384] };
/// let mut table = taut_schemas::SchemaTable::default();
/// assert_eq!(table.add_list::<Loader>(), Some(0));
/// assert_eq!(table.events[0].fields[1].name, "mip_bytes");
/// # let _ = loaded;
/// ```
#[macro_export]
macro_rules! events {
    (
        $(#[doc = $provider_doc:literal])+
        $vis:vis $Provider:ident = $provider:literal, version $version:literal
            $(, keywords { $($KEYWORD:ident = $bit:literal),+ $(,)? })?;
        $(
            $(#[doc = $doc:literal])+
            $id:literal $Name:ident [$Level:ident $(, $($Word:ident)|+)?] {
                $( $(#[doc = $field_doc:literal])+ $field:ident: $ty:ty $(as $role:ident)?, )*
            }
        )*
    ) => {
        $(#[doc = $provider_doc])+
        #[derive(Debug, Clone, Copy)]
        $vis struct $Provider;

        #[allow(dead_code)]
        impl $Provider {
            $($(
                #[doc = concat!("The keyword ", stringify!($KEYWORD), ".")]
                $vis const $KEYWORD: u64 = $bit;
            )+)?
        }

        impl $crate::EventList for $Provider {
            fn provider() -> $crate::ProviderSchema {
                let keywords = [$($(($bit, stringify!($KEYWORD))),+)?] as [(u64, &str); _];
                let keywords = keywords.into_iter().map(|(bit, name)| (bit, name.to_ascii_lowercase())).collect();
                $crate::ProviderSchema { keywords, ..$crate::ProviderSchema::from_name($provider, $version) }
            }

            fn visit(visitor: &mut $crate::ListVisitor<'_>) {
                $( visitor.event::<$Name>(); )*
            }
        }

        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, PartialEq, Eq, Default)]
            $vis struct $Name {
                $( $(#[doc = $field_doc])+ $vis $field: $ty, )*
            }

            impl $crate::OwnEvent for $Name {
                type List = $Provider;
                const ID: u16 = $id;
                const NAME: &'static str = stringify!($Name);
                const DOC: &'static str = concat!($($doc),+);
                const LEVEL: $crate::Level = $crate::Level::$Level;
                const KEYWORDS: u64 = 0 $($(| $Provider::$Word)+)?;

                fn describe(_sink: &mut $crate::FieldSink) {
                    $( _sink.member_as(
                        stringify!($field),
                        concat!($($field_doc),+),
                        $crate::role_of!($($role)?),
                        <$ty as $crate::Field>::describe,
                    ); )*
                }
                fn encode(&self, _encoder: &mut $crate::Encoder<'_>) {
                    $( $crate::Field::encode(&self.$field, _encoder); )*
                }
            }
        )*
    };
}

/// The role of a plain number, or none.
#[doc(hidden)]
#[macro_export]
macro_rules! role_of {
    () => {
        $crate::Role::Value
    };
    ($role:ident) => {
        $crate::Role::$role
    };
}
