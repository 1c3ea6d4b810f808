//! Pauses, deadlines, timeouts, and what is cancelled when nobody waits any more. Time is paused in all of it.

use std::{
    future::IntoFuture,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use futures_util::FutureExt;
use roundtrip_client::{BoxFuture, Client, Clock, ElicitResult};
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::wire::{Reply, Step, Wire, done, input_required, notification, result, yes_or_no};

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn state_only() -> Value {
    json!({ "resultType": "input_required", "requestState": "s" })
}

#[tokio::test(start_paused = true)]
async fn rounds_without_questions_are_paced_and_questions_reset_the_pace() {
    let times = Arc::new(Mutex::new(Vec::new()));
    let taken = times.clone();
    let wire = Wire::new(move |number, sent| {
        taken.lock().unwrap().push(Instant::now());
        match number {
            0..=4 | 6 => result(sent, &state_only()),
            5 => result(sent, &input_required(&json!({ "q": yes_or_no() }), "s")),
            _ => result(sent, &done("done")),
        }
    });
    wire.accepting().call_tool("t", ()).await.unwrap();
    let times = times.lock().unwrap();
    let pauses: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(pauses, [ms(50), ms(100), ms(200), ms(250), ms(250), ms(0), ms(50)]);
}

#[tokio::test(start_paused = true)]
async fn rounds_without_questions_count() {
    let wire = Wire::results([state_only()]);
    let error = wire.accepting().call_tool("t", ()).await.unwrap_err();
    assert!(error.is_too_many_rounds(), "{error}");
    assert_eq!(wire.sent().len(), 11);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_bounds_the_whole_flow() {
    // The rounds take 450 ms in all.
    let wire = Wire::results([state_only(), state_only(), state_only(), done("done")]);
    let client = wire.accepting();
    let start = Instant::now();
    let error = client.call_tool("t", ()).deadline(ms(149)).await.unwrap_err();
    assert!(error.is_timeout() && !error.is_rpc(), "{error}");
    assert!(error.to_string().contains("149ms"), "{error}");
    assert_eq!(start.elapsed(), ms(149));
    assert_eq!(wire.sent().len(), 2);

    let wire = Wire::results([state_only(), state_only(), state_only(), done("done")]);
    wire.accepting().call_tool("t", ()).deadline(ms(400)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_deadline_cancels_the_request_and_the_answers_below_it() {
    let wire = Wire::new(|_, _| Reply::steps([Step::Hang]));
    let client = wire.client();
    assert!(client.call_tool("t", ()).deadline(ms(10)).await.unwrap_err().is_timeout());
    assert_eq!(wire.cancelled(), 1);
    assert!(client.call_tool("t", ()).deadline(ms(10)).once().await.unwrap_err().is_timeout());
    assert_eq!(wire.cancelled(), 2);
    assert!(client.list_tools().deadline(ms(10)).await.unwrap_err().is_timeout());
    assert!(client.list_tools().deadline(ms(10)).all().await.unwrap_err().is_timeout());
    let prompt = roundtrip_client::CompletionReference::prompt("p");
    assert!(client.complete(prompt, "a", "").deadline(ms(10)).await.unwrap_err().is_timeout());
    assert_eq!(wire.cancelled(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_never_answered_ends_at_the_timeout() {
    let wire = Wire::new(|_, _| Reply::steps([Step::Hang]));
    let start = Instant::now();
    let error = wire.client().call_tool("t", ()).await.unwrap_err();
    assert!(error.is_timeout(), "{error}");
    assert_eq!(start.elapsed(), Duration::from_secs(300));
    assert_eq!(wire.cancelled(), 1);
    assert!(error.to_string().contains("`tools/call`"), "{error}");

    let client = Client::builder().request_timeout(ms(7)).connect_without_discover(wire.clone()).unwrap();
    assert!(client.discover().await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), Duration::from_secs(300) + ms(7));
    let patient = client.call_tool("t", ()).request_timeout(None).deadline(Duration::from_secs(3600));
    assert!(patient.await.unwrap_err().to_string().contains("3600s"));
}

#[tokio::test(start_paused = true)]
async fn the_time_of_answers_is_no_time_of_requests() {
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s"), done("done")]);
    let client = Client::builder()
        .on_form(async |_| {
            tokio::time::sleep(Duration::from_secs(3600)).await;
            ElicitResult::accept(json!({ "ok": true }))
        })
        .connect_without_discover(wire)
        .unwrap();
    client.call_tool("t", ()).request_timeout(ms(1)).await.unwrap();
}

/// A server that reports progress every 100 ms, six times, before it answers.
fn slow() -> Wire {
    Wire::new(|_, sent| {
        let progress = |number: u32| {
            let params = json!({ "progressToken": sent.meta()["progressToken"], "progress": number });
            [Step::Wait(ms(100)), notification("notifications/progress", &params)]
        };
        result(sent, &done("done")).after((1..=6).flat_map(progress))
    })
}

#[tokio::test(start_paused = true)]
async fn progress_extends_a_request_s_time_when_wanted() {
    let wire = slow();
    let client = wire.client();
    assert!(client.call_tool("t", ()).request_timeout(ms(200)).await.unwrap_err().is_timeout());
    assert_eq!(wire.sent()[0].meta().get("progressToken"), None);

    client.call_tool("t", ()).request_timeout(ms(200)).extend_on_progress().await.unwrap();

    let start = Instant::now();
    let bounded = client.call_tool("t", ()).request_timeout(ms(200)).extend_on_progress().deadline(ms(500));
    assert!(bounded.await.unwrap_err().is_timeout());
    assert_eq!(start.elapsed(), ms(500));
}

/// Sets its flag when it is dropped.
struct Guard(Arc<AtomicBool>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[tokio::test(start_paused = true)]
async fn to_drop_a_call_is_to_cancel_all_below_it() {
    // While the request is on its way.
    let wire = Wire::new(|number, sent| match number {
        0 => Reply::steps([Step::Hang]),
        _ => result(sent, &done("done")),
    });
    let client = wire.client();
    let mut call = client.call_tool("t", ()).into_future();
    assert!((&mut call).now_or_never().is_none());
    assert_eq!((wire.sent().len(), wire.cancelled()), (1, 0));
    drop(call);
    assert_eq!(wire.cancelled(), 1);
    client.call_tool("t", ()).await.unwrap();

    // While a question is being answered.
    let wire = Wire::results([input_required(&json!({ "q": yes_or_no() }), "s")]);
    let cancelled = Arc::new(AtomicBool::new(false));
    let guard = cancelled.clone();
    let client = Client::builder()
        .on_form(move |_| {
            let guard = Guard(guard.clone());
            async move {
                std::future::pending::<()>().await;
                drop(guard);
                ElicitResult::decline()
            }
        })
        .connect_without_discover(wire.clone())
        .unwrap();
    let mut call = client.call_tool("t", ()).into_future();
    assert!((&mut call).now_or_never().is_none());
    assert!(!cancelled.load(Ordering::Relaxed));
    drop(call);
    assert!(cancelled.load(Ordering::Relaxed));
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(wire.sent().len(), 1, "nothing goes on behind the caller's back");
}

#[tokio::test]
async fn a_call_that_is_not_awaited_does_nothing() {
    let wire = Wire::results([done("done")]);
    drop(wire.client().call_tool("t", ()));
    drop(wire.client().call_tool("t", ()).into_future());
    drop(wire.client().list_tools().all());
    assert!(wire.sent().is_empty());
}

#[tokio::test]
async fn time_comes_from_the_client_s_clock() {
    /// A clock that lets no time pass, and notes what was slept.
    #[derive(Clone, Default)]
    struct Notes(Arc<Mutex<Vec<Duration>>>);

    impl Clock for Notes {
        fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
            self.0.lock().unwrap().push(duration);
            Box::pin(std::future::ready(()))
        }
    }

    let notes = Notes::default();
    let wire = Wire::results([state_only(), state_only(), done("done")]);
    let client =
        Client::builder().clock(notes.clone()).request_timeout(None).connect_without_discover(wire).unwrap();
    client.call_tool("t", ()).await.unwrap();
    assert_eq!(*notes.0.lock().unwrap(), [ms(50), ms(100)]);
}
