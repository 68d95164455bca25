//! Values that change while a scenario is played.

/// What an expression can speak of.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Variables {
    /// Frames that the thread has played.
    pub frame: f64,
    /// Draws of the shader that the frame has before this one; 0 where nothing is drawn.
    pub draw: f64,
    /// Passes of the innermost loop that are done.
    pub pass: f64,
    /// The thread's number.
    pub thread: f64,
    /// 1 if the last answer was that further measurements are desired; so until one is given.
    pub further: f64,
    /// 1 if the driver was asked and has background processing.
    pub supported: f64,
}

/// A variable that expressions can read: its name, and where it has its value.
type Variable = (&'static str, fn(&Variables) -> f64);

/// All of them.
pub(super) const VARIABLES: [Variable; 6] = [
    ("frame", |variables| variables.frame),
    ("draw", |variables| variables.draw),
    ("pass", |variables| variables.pass),
    ("thread", |variables| variables.thread),
    ("further", |variables| variables.further),
    ("supported", |variables| variables.supported),
];

/// A function that expressions can call: name, number of arguments, what it does with them.
pub(super) type Function = (&'static str, usize, fn(&[f64]) -> f64);

/// All of them. Each gives the same bits on every machine.
pub(super) const FUNCTIONS: [Function; 7] = [
    ("min", 2, |given| given[0].min(given[1])),
    ("max", 2, |given| given[0].max(given[1])),
    ("abs", 1, |given| given[0].abs()),
    ("floor", 1, |given| given[0].floor()),
    ("sqrt", 1, |given| given[0].sqrt()),
    ("noise", 1, |given| noise(given[0])),
    ("if", 3, |given| if given[0] == 0.0 { given[2] } else { given[1] }),
];

/// Two values made one.
pub(super) type Operation = fn(f64, f64) -> f64;

/// A number, or how one is made.
#[derive(Debug, Clone)]
pub(super) enum Expression {
    Number(f64),
    Variable(fn(&Variables) -> f64),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    Both(Operation, Box<(Expression, Expression)>),
    Call(fn(&[f64]) -> f64, Vec<Expression>),
}

impl Expression {
    /// Its value.
    pub fn value(&self, variables: &Variables) -> f64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Variable(value) => value(variables),
            Expression::Negative(of) => -of.value(variables),
            Expression::Not(of) => f64::from(of.value(variables) == 0.0),
            Expression::Both(operation, of) => operation(of.0.value(variables), of.1.value(variables)),
            Expression::Call(function, given) => {
                function(&given.iter().map(|given| given.value(variables)).collect::<Vec<_>>())
            }
        }
    }
}

/// A number from 0 to 1, 1 excluded, that follows from the bits of another and looks like chance.
fn noise(of: f64) -> f64 {
    let mut word = of.to_bits().wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((word ^ word >> 31) >> 11) as f64 / (1_u64 << 53) as f64
}
