//! Parser of expressions: `1 + frame % 4`, `if(pass == 0, 2, noise(frame))`.

use super::expression::{Expression, FUNCTIONS, Operation, VARIABLES};
use taut_schemas::nearest;

/// Maximum nesting depth of expressions, as a limit on stack use.
const MAX_DEPTH: u32 = 64;

/// Maximum number of operators, signs and calls of an expression. `1 + 1 + …` becomes a tree as deep as its number of
/// operators, and evaluating and dropping a tree take stack for each level.
const MAX_OPERATIONS: u32 = 500;

/// Number of characters of an invalid expression that a message quotes.
const SHOWN_CHARACTERS: usize = 60;

/// Binary operators: text, precedence (a larger number binds tighter), operation. An operator must come before its own
/// prefixes (`<=` before `<`), because the first match is used.
const OPERATORS: [(&str, u32, Operation); 13] = [
    ("||", 1, |a, b| f64::from(a != 0.0 || b != 0.0)),
    ("&&", 2, |a, b| f64::from(a != 0.0 && b != 0.0)),
    ("==", 3, |a, b| f64::from(a == b)),
    ("!=", 3, |a, b| f64::from(a != b)),
    ("<=", 4, |a, b| f64::from(a <= b)),
    (">=", 4, |a, b| f64::from(a >= b)),
    ("<", 4, |a, b| f64::from(a < b)),
    (">", 4, |a, b| f64::from(a > b)),
    ("+", 5, |a, b| a + b),
    ("-", 5, |a, b| a - b),
    ("*", 6, |a, b| a * b),
    ("/", 6, |a, b| a / b),
    ("%", 6, f64::rem_euclid),
];

/// Parse error: expected and found text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub expected: String,
    pub found: String,
}

struct Parser<'a> {
    rest: &'a str,
    depth: u32,
    operations: u32,
}

impl Expression {
    /// Parses an expression.
    pub fn parse(text: &str) -> Result<Expression, Wrong> {
        let mut parser = Parser { rest: text, depth: 0, operations: 0 };
        let expression = parser.binding(1)?;
        parser.skip_space();
        if parser.rest.is_empty() { Ok(expression) } else { Err(parser.wrong("an operator or the end")) }
    }
}

impl<'a> Parser<'a> {
    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn wrong(&self, expected: &str) -> Wrong {
        let found = if self.rest.is_empty() { "the end".to_owned() } else { format!("\"{}\"", shown(self.rest)) };
        Wrong { expected: expected.to_owned(), found }
    }

    /// Counts an operator, sign or call.
    fn count(&mut self) -> Result<(), Wrong> {
        self.operations += 1;
        if self.operations <= MAX_OPERATIONS {
            return Ok(());
        }
        let expected = format!("at most {MAX_OPERATIONS} operators, signs and calls in an expression");
        Err(Wrong { expected, found: "more".to_owned() })
    }

    /// Consumes `sign` if it is next; returns whether it was.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_space();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn requires(&mut self, sign: &str) -> Result<(), Wrong> {
        if self.takes(sign) { Ok(()) } else { Err(self.wrong(sign)) }
    }

    /// Parses operands joined by operators of precedence `min_precedence` or higher.
    fn binding(&mut self, min_precedence: u32) -> Result<Expression, Wrong> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.wrong(&format!("expressions nested at most {MAX_DEPTH} deep")));
        }
        let mut left = self.value()?;
        loop {
            self.skip_space();
            let here = OPERATORS.iter().find(|(sign, ..)| self.rest.starts_with(sign));
            let Some((sign, binds, operation)) = here.filter(|(_, binds, _)| *binds >= min_precedence) else { break };
            self.rest = &self.rest[sign.len()..];
            self.count()?;
            let right = self.binding(binds + 1)?;
            left = Expression::Both(*operation, Box::new((left, right)));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn value(&mut self) -> Result<Expression, Wrong> {
        // Signs bind tighter than any operator.
        let mut signs = Vec::new();
        let sign = |parser: &mut Parser<'_>| {
            let negative = parser.takes("-");
            if negative || (parser.takes("!")) { Some(negative) } else { None }
        };
        while let Some(negative) = sign(self) {
            signs.push(negative);
            self.count()?;
        }
        let mut value = self.unsigned()?;
        for negative in signs.into_iter().rev() {
            value = match negative {
                true => Expression::Negative(Box::new(value)),
                false => Expression::Not(Box::new(value)),
            };
        }
        Ok(value)
    }

    fn unsigned(&mut self) -> Result<Expression, Wrong> {
        if self.takes("(") {
            let inner = self.binding(1)?;
            self.requires(")")?;
            return Ok(inner);
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.wrong("a number, a variable, a function or ("));
        }
        if word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.') {
            let number = word.parse().ok().filter(|number: &f64| number.is_finite());
            return number
                .map(Expression::Number)
                .ok_or_else(|| Wrong { expected: "a number".to_owned(), found: format!("\"{}\"", shown(word)) });
        }
        if self.takes("(") { self.call(word) } else { variable(word) }
    }

    /// Consumes a number or a name.
    fn word(&mut self) -> &'a str {
        self.skip_space();
        let letters = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
        let end = self.rest.find(|letter| !letters(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn call(&mut self, name: &str) -> Result<Expression, Wrong> {
        let Some((_, arguments, function)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return Err(unknown("a function", name, FUNCTIONS.iter().map(|(name, ..)| *name)));
        };
        self.count()?;
        let mut operands = Vec::new();
        for argument in 0..*arguments {
            if argument > 0 {
                self.requires(",")?;
            }
            operands.push(self.binding(1)?);
        }
        self.requires(")")?;
        Ok(Expression::Call(*function, operands))
    }
}

/// Returns the start of a text for a message.
fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

fn variable(name: &str) -> Result<Expression, Wrong> {
    let known = VARIABLES.iter().find(|(known, _)| *known == name);
    known
        .map(|(_, value)| Expression::Variable(*value))
        .ok_or_else(|| unknown("a variable", name, VARIABLES.iter().map(|(name, _)| *name)))
}

/// Creates the error for an unknown name, with the most similar known one.
pub(super) fn unknown<'n>(what: &str, found: &str, known: impl Iterator<Item = &'n str>) -> Wrong {
    let known: Vec<&str> = known.collect();
    let expected = format!("{what} ({})", known.join(", "));
    let shown = shown(found);
    let found = match nearest(found, known) {
        Some(meant) => format!("\"{shown}\"; did you mean \"{meant}\"?"),
        None => format!("\"{shown}\""),
    };
    Wrong { expected, found }
}
