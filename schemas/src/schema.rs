//! Fields as a schema table holds them: name, meaning, and the slot that holds the values in a block.

use crate::former_field::{FormerCode, FormerField};
use crate::identity::IdSpace;
use serde::{Deserialize, Serialize};

/// Name of a value without one: the only column of a list of plain numbers, or a result that is a plain number.
pub const UNNAMED_FIELD: &str = "value";

/// The meaning of a scalar. A trace stores values of one role together, because they compress well together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// An identity in some [`IdSpace`].
    Id,
    /// A virtual address.
    Address,
    /// A size in bytes.
    Size,
    /// An offset in bytes.
    Offset,
    /// An alignment in bytes.
    Alignment,
    /// An extent in texels, elements or levels.
    Extent,
    /// A number of things, or a position among them.
    Count,
    /// An enumerator.
    Enum,
    /// A set of bits.
    Flags,
    /// An `HRESULT`.
    HResult,
    /// A time span in nanoseconds.
    Duration,
    /// An IEEE 754 number of 4 or 8 bytes. Former builds read its bits as a plain number.
    Float = 12,
    /// Anything else.
    #[default]
    #[serde(other)]
    Value = 11,
}

impl Role {
    /// Every role, in the order of their slots.
    pub const ALL: [Role; 13] = [
        Role::Id,
        Role::Address,
        Role::Size,
        Role::Offset,
        Role::Alignment,
        Role::Extent,
        Role::Count,
        Role::Enum,
        Role::Flags,
        Role::HResult,
        Role::Duration,
        Role::Value,
        Role::Float,
    ];
}

/// The role of a plain number: the word after its type in its list (`size_bytes: u64 as Size`), or none.
macro_rules! role {
    () => {
        $crate::schema::Role::Value
    };
    ($role:ident) => {
        $crate::schema::Role::$role
    };
}
pub(crate) use role;

/// Number of a column stream in a block. The file's own table maps fields to slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot(pub u16);

impl Slot {
    /// The bytes of texts and byte strings.
    pub const BYTES: Slot = Slot(0);
    /// The counts of lists, texts and byte strings.
    pub const COUNTS: Slot = Slot(1);

    /// Returns the slot of a scalar: one per role for the fields of records, one per role for the elements of lists, so
    /// that a list's length never moves a plain field.
    pub fn new(role: Role, in_list: bool) -> Slot {
        // // 0 and 1 are BYTES and COUNTS.
        Slot(2 + 2 * role as u16 + u16::from(in_list))
    }
}

/// One scalar: a plain field, or one column of a list's elements.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "StoredScalar")]
pub struct ScalarSchema {
    /// Name; nested structs are joined by dots (`desc.width`). The element of a list of plain numbers has the name
    /// `value`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Width in the row, in bytes: 1, 2, 4 or 8.
    pub width_bytes: u8,
    /// Meaning of the values.
    pub role: Role,
    /// Space of an identity. Files without it are read by [`SchemaTable::complete`](crate::SchemaTable::complete).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub space: Option<IdSpace>,
    /// Slot of a block that holds the values.
    pub slot: Slot,
    /// Name of the list of names of its values ([`CodeSchema::name`]), if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// Description, and name in the header.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

/// A scalar as a file stores it: a later build's space may be one that this build does not know.
#[derive(Deserialize)]
struct StoredScalar {
    #[serde(default)]
    name: String,
    width_bytes: u8,
    role: Role,
    space: Option<String>,
    slot: Slot,
    code: Option<String>,
    #[serde(default)]
    doc: String,
}

impl From<StoredScalar> for ScalarSchema {
    fn from(stored: StoredScalar) -> ScalarSchema {
        let StoredScalar { name, width_bytes, role, space, slot, code, doc } = stored;
        let known = space.as_deref().and_then(IdSpace::named);
        // An id of an unknown space is read as a plain number.
        let role = if space.is_some() && known.is_none() { Role::Value } else { role };
        ScalarSchema { name, width_bytes, role, space: known, slot, code, doc }
    }
}

/// The names of an enumeration's values or of a flag set's bits.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CodeSchema {
    /// Name of the enumeration.
    pub name: String,
    /// True if values are bits that combine.
    pub flags: bool,
    /// Value and name, in order of value. Names come without the header's prefix.
    pub values: Vec<(u64, String)>,
}

/// The kind of a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// One number.
    Scalar(ScalarSchema),
    /// UTF-8 text.
    Text,
    /// Bytes without further meaning.
    Bytes,
    /// Any number of elements; one scalar per element column.
    List(Vec<ScalarSchema>),
    /// A list of at most one element.
    Optional(Vec<ScalarSchema>),
}

/// One field of an event.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FieldSchema {
    /// Name; nested structs are joined by dots.
    pub name: String,
    /// Description, and name in the header.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub doc: String,
    pub kind: FieldKind,
}

impl FieldSchema {
    /// The field's numbers: the field itself, or the columns of its elements.
    pub fn scalars(&self) -> &[ScalarSchema] {
        match &self.kind {
            FieldKind::Scalar(scalar) => std::slice::from_ref(scalar),
            FieldKind::List(columns) | FieldKind::Optional(columns) => columns,
            FieldKind::Text | FieldKind::Bytes => &[],
        }
    }

    pub(crate) fn scalars_mut(&mut self) -> &mut [ScalarSchema] {
        match &mut self.kind {
            FieldKind::Scalar(scalar) => std::slice::from_mut(scalar),
            FieldKind::List(columns) | FieldKind::Optional(columns) => columns,
            FieldKind::Text | FieldKind::Bytes => &mut [],
        }
    }
}

/// Collects the fields of one event while its types describe themselves.
#[derive(Debug, Default)]
pub struct FieldSink {
    path: Vec<Member>,
    /// Former names of the member described next.
    was: Vec<&'static str>,
    /// Role of the number described next.
    role: Role,
    list: Option<Vec<ScalarSchema>>,
    pub(crate) fields: Vec<FieldSchema>,
    pub(crate) codes: Vec<CodeSchema>,
    pub(crate) former_fields: Vec<FormerField>,
    pub(crate) former_codes: Vec<FormerCode>,
}

/// A member on the path to the field that is being described.
#[derive(Debug)]
struct Member {
    name: &'static str,
    doc: &'static str,
    was: Vec<&'static str>,
}

impl FieldSink {
    /// Adds a former name of the member described next.
    pub fn was(&mut self, name: &'static str) {
        self.was.push(name);
    }

    /// Describes a member called `name`; `describe` adds what is in it.
    pub fn member(&mut self, name: &'static str, doc: &'static str, describe: impl FnOnce(&mut Self)) {
        let was = std::mem::take(&mut self.was);
        self.path.push(Member { name, doc: doc.trim(), was });
        describe(self);
        self.path.pop();
    }

    /// Describes a member that is a number, or a list of numbers, of this role; other types set their roles themselves.
    pub fn member_as(&mut self, name: &'static str, doc: &'static str, role: Role, describe: impl FnOnce(&mut Self)) {
        debug_assert!(self.role == Role::Value, "{} is no number, so it has no role of its own", self.name());
        self.role = role;
        self.member(name, doc, describe);
        debug_assert!(self.role == Role::Value, "{name} is no number, so it has no role of its own");
    }

    /// Describes a value under the name of its member, or under `name` if it is in none (a call's result, a list's
    /// element).
    pub fn named_or(&mut self, name: &'static str, doc: &'static str, describe: impl FnOnce(&mut Self)) {
        if self.path.is_empty() { self.member(name, doc, describe) } else { describe(self) }
    }

    /// Adds a plain number at the current path, with the role set by [`member_as`](Self::member_as).
    pub fn number(&mut self, width_bytes: u8) {
        let role = std::mem::replace(&mut self.role, Role::Value);
        self.scalar(width_bytes, role, None);
    }

    /// Adds an identity at the current path.
    pub fn id(&mut self, width_bytes: u8, space: IdSpace) {
        self.add(width_bytes, Role::Id, Some(space), None);
    }

    /// Adds an enumerator or flag set at the current path, with the names of its values.
    pub fn code(&mut self, width_bytes: u8, code: CodeSchema) {
        let role = if code.flags { Role::Flags } else { Role::Enum };
        self.scalar(width_bytes, role, Some(code.name.clone()));
        self.codes.push(code);
    }

    /// Adds the former names of an enumeration, and those of its values.
    pub fn former_code(
        &mut self,
        name: &'static str,
        was: &[&'static str],
        values: &[(u32, &'static str, &'static str)],
    ) {
        if !(was.is_empty() && values.is_empty()) {
            let values = values.iter().map(|(value, was, name)| (u64::from(*value), *was, *name)).collect();
            self.former_codes.push(FormerCode { name, was: was.to_vec(), values });
        }
    }

    /// Adds a scalar at the current path that is not an identity.
    pub fn scalar(&mut self, width_bytes: u8, role: Role, code: Option<String>) {
        self.add(width_bytes, role, None, code);
    }

    fn add(&mut self, width_bytes: u8, role: Role, space: Option<IdSpace>, code: Option<String>) {
        let in_list = self.list.is_some();
        let doc = self.doc();
        self.add_former_names();
        let scalar = ScalarSchema {
            name: self.name(),
            width_bytes,
            role,
            space,
            slot: Slot::new(role, in_list),
            code,
            doc: doc.clone(),
        };
        match &mut self.list {
            Some(columns) => columns.push(scalar),
            None => {
                let name = scalar.name.clone();
                self.fields.push(FieldSchema { name, doc, kind: FieldKind::Scalar(scalar) });
            }
        }
    }

    /// Adds a text or byte string at the current path.
    pub fn bytes(&mut self, kind: FieldKind) {
        debug_assert!(self.list.is_none(), "texts do not stand in lists");
        self.add_former_names();
        let field = FieldSchema { name: self.name(), doc: self.doc(), kind };
        self.fields.push(field);
    }

    /// Adds a list (or optional) whose element `describe` describes.
    pub fn list(&mut self, optional: bool, describe: impl FnOnce(&mut Self)) {
        debug_assert!(self.list.is_none(), "lists do not nest");
        let (name, doc) = (self.name(), self.doc());
        self.add_former_names();
        let path = std::mem::take(&mut self.path);
        let outside = self.former_fields.len();
        self.list = Some(Vec::new());
        describe(self);
        let columns = self.list.take().unwrap_or_default();
        self.path = path;
        self.former_fields[outside..].iter_mut().for_each(|column| column.list = Some(name.clone()));
        let kind = if optional { FieldKind::Optional(columns) } else { FieldKind::List(columns) };
        self.fields.push(FieldSchema { name, doc, kind });
    }

    fn name(&self) -> String {
        let names: Vec<&str> = self.path.iter().map(|member| member.name).collect();
        if names.is_empty() { UNNAMED_FIELD.to_owned() } else { names.join(".") }
    }

    /// Records the former names of the current path: every combination of its members' names but the current one.
    fn add_former_names(&mut self) {
        if self.path.iter().all(|member| member.was.is_empty()) {
            return;
        }
        let name = self.name();
        let mut all = vec![String::new()];
        for member in &self.path {
            let names = || std::iter::once(&member.name).chain(&member.was);
            let longer = |path: &String| {
                let join = |name: &&str| if path.is_empty() { (*name).to_owned() } else { format!("{path}.{name}") };
                names().map(join).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        let former = all.into_iter().filter(|was| *was != name);
        self.former_fields.extend(former.map(|was| FormerField { list: None, was, name: name.clone() }));
    }

    fn doc(&self) -> String {
        let unnamed = if self.list.is_none() { "What the call returns." } else { "" };
        self.path.last().map_or(unnamed, |member| member.doc).to_owned()
    }
}
