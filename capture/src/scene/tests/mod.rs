mod bad;
mod courtyard;
mod real;
