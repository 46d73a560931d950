//! Collects the `tracing` events of a thread.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::{Dispatch, Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// One event: target, level, and its fields as text, the message among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recorded {
    pub(crate) target: String,
    pub(crate) level: tracing::Level,
    pub(crate) fields: BTreeMap<&'static str, String>,
}

impl Recorded {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str)
    }
}

/// A subscriber that collects events.
#[derive(Clone, Default)]
pub(crate) struct Capture(Arc<Mutex<Vec<Recorded>>>);

impl Capture {
    /// Runs `work` with this subscriber in the current thread.
    pub(crate) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let subscriber = tracing_subscriber::registry().with(self.clone());
        tracing::dispatcher::with_default(&Dispatch::new(subscriber), work)
    }

    /// Takes the events so far.
    pub(crate) fn take(&self) -> Vec<Recorded> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// The events of `work` in the current thread.
pub(crate) fn events(work: impl FnOnce()) -> Vec<Recorded> {
    let capture = Capture::default();
    capture.during(work);
    capture.take()
}

impl<S: Subscriber> Layer<S> for Capture {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields(BTreeMap::new());
        event.record(&mut fields);
        let metadata = event.metadata();
        self.0.lock().unwrap().push(Recorded {
            target: metadata.target().to_owned(),
            level: *metadata.level(),
            fields: fields.0,
        });
    }
}

struct Fields(BTreeMap<&'static str, String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}
