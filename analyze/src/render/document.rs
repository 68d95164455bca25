//! A report's text as data.

use serde::Serialize;

/// A titled sequence of sentences and tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Document {
    pub title: String,
    /// Contents, in order.
    pub parts: Vec<Part>,
}

/// A part of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// A paragraph, not wrapped.
    Text(String),
    /// A table.
    Table(TextTable),
}

/// A table of cells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextTable {
    pub caption: String,
    pub headings: Vec<Heading>,
    /// Indices of the columns that a narrow terminal shows first; the others follow in the order of the table.
    #[serde(skip)]
    pub importance: Vec<usize>,
    /// Rows; each has one cell per heading.
    pub rows: Vec<Vec<String>>,
}

/// A column's heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Heading {
    pub title: String,
    pub align: Align,
}

/// Alignment of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// Left, for words.
    Left,
    /// Right, for numbers.
    Right,
}

impl Document {
    /// Creates a document without parts.
    pub fn new(title: impl Into<String>) -> Document {
        Document { title: title.into(), parts: Vec::new() }
    }

    /// Adds a paragraph.
    pub fn text(&mut self, text: impl Into<String>) {
        self.parts.push(Part::Text(text.into()));
    }

    /// Adds a table.
    pub fn table(&mut self, table: TextTable) {
        self.parts.push(Part::Table(table));
    }
}

impl TextTable {
    /// Creates a table without rows, whose first column holds words and whose other columns hold numbers.
    pub fn new<T: Into<String>>(caption: impl Into<String>, titles: impl IntoIterator<Item = T>) -> TextTable {
        let aligns = std::iter::once(Align::Left).chain(std::iter::repeat(Align::Right));
        let headings = titles.into_iter().zip(aligns).map(|(title, align)| Heading { title: title.into(), align });
        TextTable { caption: caption.into(), headings: headings.collect(), importance: Vec::new(), rows: Vec::new() }
    }

    /// Aligns a column as words, to the left.
    pub fn words(mut self, column: usize) -> TextTable {
        if let Some(heading) = self.headings.get_mut(column) {
            heading.align = Align::Left;
        }
        self
    }

    /// Declares the columns with these titles as the most important ones, in this order.
    pub fn by_importance(mut self, titles: &[&str]) -> TextTable {
        let index = |title: &&str| self.headings.iter().position(|heading| heading.title == *title);
        self.importance = titles.iter().filter_map(index).collect();
        debug_assert_eq!(self.importance.len(), titles.len(), "{titles:?}: expected titles of {:?}", self.headings);
        self
    }

    /// Adds a row: its name and its cells.
    pub fn row(&mut self, name: impl Into<String>, cells: impl IntoIterator<Item = String>) {
        self.rows.push(std::iter::once(name.into()).chain(cells).collect());
    }
}
