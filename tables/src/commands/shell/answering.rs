//! Answers a question beside the shell, so that Ctrl-C ends the one and not the other.

use crate::commands::query::wrong;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use taut_console::interrupt::ask_instead;
use taut_console::outcome::Failure;
use taut_tables::query::{Query, QueryError, QueryResult};

/// What became of a question.
pub enum Answered {
    Result(QueryResult),
    /// Ctrl-C.
    Interrupted,
}

enum Event {
    Answer(Result<QueryResult, QueryError>),
    Interrupt,
}

/// Answers a question, until Ctrl-C. What of it is at work then ends with the next part of a table that it reads; nobody
/// waits for that.
///
/// # Errors
/// It has no answer.
pub fn answer(query: Query, sql: &str) -> Result<Answered, Failure> {
    let (send, events) = channel();
    let ended = Arc::new(AtomicBool::new(false));
    let query = query.ended_by(ended.clone());
    let (question, answers) = (sql.to_owned(), send.clone());
    let asking = ask_instead(move || {
        // Who no longer listens has the answer already.
        let _ = send.send(Event::Interrupt);
    });
    let worker = std::thread::Builder::new().name("taut-question".to_owned());
    worker.spawn(move || {
        let _ = answers.send(Event::Answer(query.run(&question)));
    })?;
    let event = events.recv();
    drop(asking);
    match event {
        Ok(Event::Answer(Ok(result))) => Ok(Answered::Result(result)),
        Ok(Event::Answer(Err(error))) => Err(wrong(error, sql)),
        Ok(Event::Interrupt) => {
            ended.store(true, Ordering::Relaxed);
            Ok(Answered::Interrupted)
        }
        Err(_) => Err(Failure::io(std::io::Error::other("the question ended without an answer"))),
    }
}
