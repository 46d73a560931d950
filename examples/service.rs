//! A service that receives failures, with two boundaries.
//!
//! ```text
//! cargo run -p failure-kinds-examples --example service
//! curl -d '{"kind": "judge_faild", "reason": "no reply"}' -H 'content-type: application/json' \
//!     http://127.0.0.1:8080/failures
//! ```
//!
//! `POST /failures` is the outer one, for producers that may not be migrated yet: it accepts any
//! kind, keeps it unchanged, and logs each unregistered one once. `POST /events` is the inner one: its
//! type is `FailureKind`, so anything that is not a kind is rejected with a message.

use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use failure_kinds::{FailureKind, ObservedKind, validate_failure_kind};
use serde::{Deserialize, Serialize};

/// A failure as a producer reports it.
#[derive(Debug, PartialEq, Deserialize, Serialize)]
struct Failure {
    kind: ObservedKind,
    /// Details of this occurrence. They are kept, and never become a label.
    reason: String,
}

/// A canonical event: its kind is registered, or an extension.
#[derive(Deserialize)]
struct Event {
    kind: FailureKind,
    reason: String,
}

/// What the service has received. A real one would write it to a log or a database.
type Taken = Arc<Mutex<Vec<Failure>>>;

fn keep(taken: &Taken, failure: Failure) -> StatusCode {
    // Entries are never half written, so a poisoned lock is still valid.
    taken.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(failure);
    StatusCode::ACCEPTED
}

async fn take_failure(State(taken): State<Taken>, Json(failure): Json<Failure>) -> StatusCode {
    validate_failure_kind(failure.kind.as_str());
    keep(&taken, failure)
}

async fn take_event(State(taken): State<Taken>, Json(event): Json<Event>) -> StatusCode {
    keep(&taken, Failure { kind: event.kind.into(), reason: event.reason })
}

fn service(taken: Taken) -> Router {
    Router::new()
        .route("/failures", post(take_failure))
        .route("/events", post(take_event))
        .with_state(taken)
}

fn main() -> Result<(), Box<dyn Error>> {
    // Before the first name is seen: a warning without a subscriber is lost, and not repeated.
    tracing_subscriber::fmt().with_writer(io::stderr).init();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build()?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
        axum::serve(listener, service(Taken::default())).await?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use serde_json::{Value, json};
    use tower::ServiceExt;

    use super::*;

    /// Lines of the log.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    async fn send(service: &Router, path: &str, body: &Value) -> (StatusCode, String) {
        let request = Request::post(path)
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let response = service.clone().oneshot(request).await.unwrap();
        let status = response.status();
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        (status, String::from_utf8(body.into()).unwrap())
    }

    /// Sends to a new service. Returns the answers, what was kept, and the log.
    fn run(requests: &[(&str, Value)]) -> (Vec<(StatusCode, String)>, Vec<Failure>, String) {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .without_time()
            .with_writer(move || writer.clone())
            .finish();
        let taken = Taken::default();
        let service = service(taken.clone());
        let answers = tracing::subscriber::with_default(subscriber, || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let mut answers = Vec::new();
                for (path, body) in requests {
                    answers.push(send(&service, path, body).await);
                }
                answers
            })
        });
        let taken = std::mem::take(&mut *taken.lock().unwrap());
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        (answers, taken, log)
    }

    #[test]
    fn the_outer_boundary_takes_every_kind_and_logs_an_unknown_one_once() {
        let kinds =
            ["judge_failed", "judge_faild\n", "env:tab_crashed", "judge_faild\n", "judge_faild\n"];
        let requests = kinds.map(|kind| ("/failures", json!({"kind": kind, "reason": "no reply"})));
        let (answers, taken, log) = run(&requests);
        assert!(answers.iter().all(|(status, _)| *status == StatusCode::ACCEPTED), "{answers:?}");
        let kept: Vec<_> = taken.iter().map(|failure| failure.kind.as_str()).collect();
        assert_eq!(kept, kinds);
        assert_eq!(
            log,
            " WARN failure_kinds: `judge_faild\\n` ends with white space; a similar name is registered: \
             `judge_failed`; reported once failure_kind=judge_faild\\n suggestion=judge_failed\n"
        );
    }

    #[test]
    fn the_inner_boundary_rejects_what_is_not_a_kind() {
        let event = |kind: &str| ("/events", json!({"kind": kind, "reason": "no reply"}));
        let requests = [event("judge_failed"), event("env:tab_crashed"), event("judge_invalid")];
        let (answers, taken, log) = run(&requests);
        let statuses: Vec<_> = answers.iter().map(|(status, _)| status.as_u16()).collect();
        assert_eq!((statuses, taken.len(), log.as_str()), (vec![202, 202, 422], 2, ""));
        let sentence =
            "`judge_invalid` is a legacy label that was renamed; write `judge_unparseable`";
        assert!(answers[2].1.contains(sentence), "{}", answers[2].1);
    }
}
