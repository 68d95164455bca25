//! Expressions for values that change during a scenario.

/// Values of the variables in expressions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Variables {
    /// Number of frames that the thread has drawn.
    pub frame: f64,
    /// Number of draws of the shader earlier in the frame; 0 outside of draws.
    pub draw: f64,
    /// Number of completed passes of the innermost loop.
    pub pass: f64,
    /// Number of the thread.
    pub thread: f64,
    /// 1 if further measurements were desired at the last query; also 1 before the first.
    pub further: f64,
    /// 1 if the driver was queried and supports background processing.
    pub supported: f64,
}

/// Variable of expressions: name and accessor.
type Variable = (&'static str, fn(&Variables) -> f64);

/// Variables of expressions.
pub(super) const VARIABLES: [Variable; 6] = [
    ("frame", |variables| variables.frame),
    ("draw", |variables| variables.draw),
    ("pass", |variables| variables.pass),
    ("thread", |variables| variables.thread),
    ("further", |variables| variables.further),
    ("supported", |variables| variables.supported),
];

/// Function of expressions: name, number of arguments, implementation.
pub(super) type Function = (&'static str, usize, fn(&[f64]) -> f64);

/// Functions of expressions. Each gives the same bits on every machine, so that recordings are reproducible.
pub(super) const FUNCTIONS: [Function; 7] = [
    ("min", 2, |arguments| arguments[0].min(arguments[1])),
    ("max", 2, |arguments| arguments[0].max(arguments[1])),
    ("abs", 1, |arguments| arguments[0].abs()),
    ("floor", 1, |arguments| arguments[0].floor()),
    ("sqrt", 1, |arguments| arguments[0].sqrt()),
    ("noise", 1, |arguments| noise(arguments[0])),
    ("if", 3, |arguments| if arguments[0] == 0.0 { arguments[2] } else { arguments[1] }),
];

/// Operation on two values.
pub(super) type Operation = fn(f64, f64) -> f64;

/// Expression tree.
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
    /// Evaluates the expression.
    pub fn value(&self, variables: &Variables) -> f64 {
        match self {
            Expression::Number(number) => *number,
            Expression::Variable(value) => value(variables),
            Expression::Negative(of) => -of.value(variables),
            Expression::Not(of) => f64::from(of.value(variables) == 0.0),
            Expression::Both(operation, of) => operation(of.0.value(variables), of.1.value(variables)),
            Expression::Call(function, arguments) => {
                function(&arguments.iter().map(|arguments| arguments.value(variables)).collect::<Vec<_>>())
            }
        }
    }
}

/// Returns a pseudorandom number in [0, 1) derived from the bits of `of`, by the finaliser of SplitMix64.
fn noise(of: f64) -> f64 {
    let mut word = of.to_bits().wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((word ^ word >> 31) >> 11) as f64 / (1_u64 << 53) as f64
}
