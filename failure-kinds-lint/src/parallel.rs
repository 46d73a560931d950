//! Work on threads with a deep stack.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use super::error::Error;

/// Nested sources need a deep stack. It costs nothing until it is used.
const STACK: usize = 256 << 20;

/// Works on items on several threads. The results are in the order of the items.
///
/// # Errors
///
/// The system cannot start a thread.
pub(crate) fn map<T: Send, R: Send>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Result<Vec<R>, Error> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        let mut results = Vec::new();
        while let Some((index, item)) = next() {
            results.push((index, work(item)));
        }
        results
    };
    thread::scope(|scope| {
        let running = (0..threads).map(|_| start(scope, run)).collect::<Result<Vec<_>, _>>()?;
        let mut results: Vec<_> = running.into_iter().flat_map(join).collect();
        results.sort_unstable_by_key(|(index, _)| *index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    })
}

/// Works on one such thread.
///
/// # Errors
///
/// The system cannot start a thread.
pub(crate) fn on_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, Error> {
    thread::scope(|scope| start(scope, work).map(join))
}

fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Result<ScopedJoinHandle<'scope, R>, Error> {
    let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
    thread.map_err(|error| Error::new(format!("cannot start a thread: {error}")))
}

fn join<R>(thread: ScopedJoinHandle<'_, R>) -> R {
    thread.join().unwrap_or_else(|payload| resume_unwind(payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let results = map(items, |item| item * 2).unwrap();
        assert_eq!(results, (0..1000).map(|item| item * 2).collect::<Vec<_>>());
        assert!(map(Vec::<usize>::new(), |item| item).unwrap().is_empty());
    }
}
