mod bad;
mod courtyard;
