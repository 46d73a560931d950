//! A service that runs episodes and emits failure kinds.
//!
//! It calls an environment, an agent and a judge over TCP. For each failed episode it reports what
//! went wrong in a `tracing` event, counts it in a metric, and decides what to do next. Every kind is
//! written with `failure_kind!`, so a misspelt one does not compile.
//!
//! ```sh
//! cargo run -p failure-kinds-examples --example producer
//! ```

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use failure_kinds::{FailureKind, FailureStage, failure_kind};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

/// The timeout for a reply of a peer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A kind of this environment only. It is a constant so that code can compare with it.
const TAB_CRASHED: FailureKind = failure_kind!("browser_env:tab_crashed");

/// Where the peers of one episode listen.
struct Peers {
    environment: SocketAddr,
    agent: SocketAddr,
    judge: SocketAddr,
}

/// What went wrong, where in the episode, and what was seen. Only the first two are labels.
struct Failure {
    kind: FailureKind,
    stage: FailureStage,
    reason: String,
}

/// What this service does about a failed episode. The vocabulary does not decide this.
#[derive(Debug, PartialEq)]
enum Next {
    JudgeAgain,
    PlayAgain,
    GiveUp,
}

fn next(kind: &FailureKind) -> Next {
    match *kind {
        failure_kind!("judge_failed") | failure_kind!("judge_unparseable") => Next::JudgeAgain,
        failure_kind!("transport_unreachable") | failure_kind!("transport_peer_drop") => {
            Next::PlayAgain
        }
        // An extension is not a pattern.
        _ if *kind == TAB_CRASHED => Next::PlayAgain,
        _ => Next::GiveUp,
    }
}

/// Runs one episode and returns its score.
async fn play(peers: &Peers) -> Result<f64, Failure> {
    let at = |stage| move |(kind, reason): (FailureKind, String)| Failure { kind, stage, reason };
    ask(peers.environment, "reset").await.map_err(at(FailureStage::Seed))?;

    let answer = ask(peers.agent, "act").await.map_err(at(FailureStage::Agent))?;
    if let Some(tab) = answer.strip_prefix("crashed: ") {
        return Err(at(FailureStage::Agent)((TAB_CRASHED, tab.into())));
    }

    let verdict = ask(peers.judge, &answer)
        .await
        .map_err(|(_, reason)| (failure_kind!("judge_failed"), reason))
        .map_err(at(FailureStage::Verification))?;
    verdict.parse().map_err(|_| {
        let reason = format!("the judge said {verdict:?}");
        at(FailureStage::Verification)((failure_kind!("judge_unparseable"), reason))
    })
}

/// One request and its reply. Only the caller knows what a lost connection means.
async fn ask(peer: SocketAddr, request: &str) -> Result<String, (FailureKind, String)> {
    let seen = |kind| move |error: io::Error| (kind, error.to_string());
    let mut stream =
        TcpStream::connect(peer).await.map_err(seen(failure_kind!("transport_unreachable")))?;
    let exchange = async {
        stream.write_all(request.as_bytes()).await?;
        stream.shutdown().await?;
        let mut reply = String::new();
        stream.read_to_string(&mut reply).await?;
        Ok(reply)
    };
    let reply = timeout(PATIENCE, exchange)
        .await
        .map_err(|_| (failure_kind!("transport_timeout"), format!("no reply in {PATIENCE:?}")))?
        .map_err(seen(failure_kind!("transport_peer_drop")))?;
    if reply.is_empty() {
        return Err((failure_kind!("transport_peer_drop"), "the reply is empty".into()));
    }
    Ok(reply)
}

/// The metric for failed episodes. Its labels, kind and stage, have low cardinality.
#[derive(Clone, Default)]
struct Failures(Family<[(&'static str, String); 2], Counter>);

impl Failures {
    fn register(&self, registry: &mut Registry) {
        registry.register("episode_failures", "Episodes that failed", self.0.clone());
    }

    /// Reports a failure in an event and counts it.
    fn record(&self, failure: &Failure) {
        let Failure { kind, stage, reason } = failure;
        tracing::warn!(
            failure_kind = kind.as_str(),
            failure_stage = stage.as_str(),
            failure_reason = reason,
            "episode failed"
        );
        let labels = [("kind", kind.metric_label().into()), ("stage", stage.as_str().into())];
        self.0.get_or_create(&labels).inc();
    }
}

/// How a peer of this demonstration behaves.
#[derive(Clone, Copy)]
enum Behaviour {
    Reply(&'static str),
    HangUp,
    Silence,
    Refuse,
}

async fn peer(behaviour: Behaviour) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    if !matches!(behaviour, Behaviour::Refuse) {
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, behaviour));
            }
        });
    }
    Ok(address)
}

async fn serve(mut stream: TcpStream, behaviour: Behaviour) -> io::Result<()> {
    let mut request = String::new();
    stream.read_to_string(&mut request).await?;
    match behaviour {
        Behaviour::Reply(text) => stream.write_all(text.as_bytes()).await?,
        Behaviour::Silence => tokio::time::sleep(10 * PATIENCE).await,
        Behaviour::HangUp | Behaviour::Refuse => {}
    }
    Ok(())
}

/// Runs an episode with each set of peers. Returns what to do next, and the metrics as text.
async fn run() -> io::Result<(Vec<Next>, String)> {
    use Behaviour::{HangUp, Refuse, Reply, Silence};
    let (ready, answer, score) = (Reply("ready"), Reply("42"), Reply("0.5"));

    let failures = Failures::default();
    let mut registry = Registry::default();
    failures.register(&mut registry);

    let mut steps = Vec::new();
    for [environment, agent, judge] in [
        [ready, answer, score],
        [Refuse, answer, score],
        [ready, HangUp, score],
        [ready, Silence, score],
        [ready, Reply("crashed: tab 3"), score],
        [ready, answer, HangUp],
        [ready, answer, Reply("quite good")],
    ] {
        let peers = Peers {
            environment: peer(environment).await?,
            agent: peer(agent).await?,
            judge: peer(judge).await?,
        };
        match play(&peers).await {
            Ok(score) => tracing::info!(score, "episode done"),
            Err(failure) => {
                failures.record(&failure);
                steps.push(next(&failure.kind));
            }
        }
    }
    let mut metrics = String::new();
    encode(&mut metrics, &registry).map_err(io::Error::other)?;
    Ok((steps, metrics))
}

fn block_on_run() -> io::Result<(Vec<Next>, String)> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(run())
}

#[allow(clippy::print_stdout, reason = "its output is what the example is for")]
fn main() -> io::Result<()> {
    tracing_subscriber::fmt().without_time().init();
    let (steps, metrics) = block_on_run()?;
    println!("\n{metrics}\nnext: {steps:?}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_failure_is_an_event_a_count_and_a_decision() {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt()
            .without_time()
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        let (steps, metrics) =
            tracing::subscriber::with_default(subscriber, || block_on_run().unwrap());

        let expected = [
            ("transport_unreachable", "seed", Next::PlayAgain),
            ("transport_peer_drop", "agent", Next::PlayAgain),
            ("transport_timeout", "agent", Next::GiveUp),
            ("browser_env:tab_crashed", "agent", Next::PlayAgain),
            ("judge_failed", "verification", Next::JudgeAgain),
            ("judge_unparseable", "verification", Next::JudgeAgain),
        ];
        let events = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let warnings: Vec<_> = events.lines().filter(|line| line.contains("WARN")).collect();
        assert_eq!(warnings.len(), expected.len(), "{events}");
        for ((kind, stage, _), warning) in expected.iter().zip(warnings) {
            assert!(warning.contains(&format!("failure_kind=\"{kind}\"")), "{warning}");
            assert!(warning.contains(&format!("failure_stage=\"{stage}\"")), "{warning}");
            let count = format!("episode_failures_total{{kind=\"{kind}\",stage=\"{stage}\"}} 1");
            assert!(metrics.lines().any(|line| line == count), "{count} in\n{metrics}");
        }
        assert_eq!(steps, expected.map(|(_, _, next)| next));
        assert!(!metrics.contains("quite good"), "a reason became a label");
    }
}
