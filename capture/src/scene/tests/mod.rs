mod bad;
mod courtyard;
mod real;
mod recording;
