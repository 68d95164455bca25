mod bad;
mod courtyard;
mod real;
mod users;
mod valid;
