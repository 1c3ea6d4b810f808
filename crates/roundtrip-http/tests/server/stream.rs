//! Event streams: when they begin, what they hold, how they end.

use std::task::Poll;

use bytes::Bytes;
use http_body::Body;
use http_body_util::BodyExt;
use roundtrip_http::sse;
use serde_json::{Value, json};

use crate::support::{call, events, frame, meta, post, respond, send, service, soon};

#[tokio::test]
async fn a_notification_makes_the_answer_a_stream_that_ends_with_the_response() {
    let (service, _) = service();
    let answer = send(&service, call("tell")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert_eq!(answer.header("x-accel-buffering"), "no");
    let events = answer.events();
    assert_eq!(events.len(), 2);
    assert_eq!(events[0]["method"], "notifications/progress");
    assert_eq!(events[0]["params"]["progressToken"], "t");
    assert_eq!(events[0]["params"]["message"], "half\r\nway");
    assert_eq!(events[1]["id"], 42);
    assert_eq!(events[1]["result"]["content"][0]["text"], "tell");
}

#[tokio::test]
async fn each_notification_is_sent_at_once() {
    let (service, probe) = service();
    let mut body = soon(respond(&service, call("tell_and_wait"))).await.into_body();
    let first = events(&soon(frame(&mut body)).await.unwrap());
    assert_eq!(first.len(), 1);
    assert_eq!(first[0]["params"]["progress"], 1.0);
    assert!(!body.is_end_stream());
    probe.release.notify_one();
    let rest = body.collect().await.unwrap().to_bytes();
    let rest = events(&rest);
    assert_eq!(rest.len(), 2);
    assert_eq!(rest[0]["params"]["progress"], 2.0);
    assert_eq!(rest[1]["id"], 42);
}

#[tokio::test]
async fn the_end_is_known_with_the_last_frame() {
    let (service, probe) = service();
    let mut body = respond(&service, call("tell_and_wait")).await.into_body();
    frame(&mut body).await.unwrap();
    probe.release.notify_one();
    frame(&mut body).await.unwrap();
    assert!(body.is_end_stream());
    assert_eq!(frame(&mut body).await, None);
    assert_eq!(frame(&mut body).await, None, "also when asked once more");
}

#[tokio::test]
async fn a_slow_reader_holds_the_handler_up() {
    let (service, probe) = service();
    let service = service.outbox_capacity(4);
    let mut body = respond(&service, call("flood")).await.into_body();
    let before = probe.sent();
    assert!(before <= 5, "{before}");
    let first = events(&frame(&mut body).await.unwrap());
    assert!(!first.is_empty() && probe.sent() < 200, "{} {}", first.len(), probe.sent());
    let rest = events(&body.collect().await.unwrap().to_bytes());
    assert_eq!(first.len() + rest.len(), 1001, "nothing is lost");
    assert_eq!(rest.last().unwrap()["id"], 42);
    assert_eq!(probe.sent(), 1000);
}

#[tokio::test(start_paused = true)]
async fn a_silent_stream_is_kept_open_with_comments() {
    let (service, _) = service();
    let mut body = respond(&service, call("tell_and_wait")).await.into_body();
    frame(&mut body).await.unwrap();
    let start = tokio::time::Instant::now();
    for beat in 1..=3 {
        let comment = frame(&mut body).await.unwrap();
        assert!(comment.starts_with(b":"), "{comment:?}");
        assert_eq!(start.elapsed().as_secs(), beat * 15);
        assert_eq!(sse::Decoder::new().decode(&mut &comment[..]), Ok(None), "which nobody sees");
    }
}

#[tokio::test(start_paused = true)]
async fn the_keep_alive_can_be_set_and_left_out() {
    let (service, probe) = service();
    let often = service.clone().keep_alive(std::time::Duration::from_secs(2));
    let mut body = respond(&often, call("tell_and_wait")).await.into_body();
    frame(&mut body).await.unwrap();
    let start = tokio::time::Instant::now();
    frame(&mut body).await.unwrap();
    assert_eq!(start.elapsed().as_secs(), 2);
    drop(body);
    soon(probe.cancelled.notified()).await;

    let mut body = respond(&service.without_keep_alive(), call("tell_and_wait")).await.into_body();
    frame(&mut body).await.unwrap();
    let day = std::time::Duration::from_secs(86_400);
    assert!(tokio::time::timeout(day, frame(&mut body)).await.is_err());
}

#[tokio::test]
async fn dropping_the_future_or_the_body_cancels_the_handler() {
    let (service, probe) = service();
    let mut waiting = Box::pin(respond(&service, call("wait")));
    tokio::select! {
        biased;
        _ = &mut waiting => panic!("nobody released it"),
        () = probe.started.notified() => {}
    }
    drop(waiting);
    soon(probe.cancelled.notified()).await;

    let body = respond(&service, call("tell_and_wait")).await.into_body();
    drop(body);
    soon(probe.cancelled.notified()).await;
    assert_eq!(send(&service, call("echo")).await.status, 200, "and others go on");
}

#[tokio::test]
async fn nothing_is_spawned_and_nothing_left_behind() {
    let (service, probe) = service();
    let metrics = tokio::runtime::Handle::current().metrics();
    let before = metrics.num_alive_tasks();
    for number in 0..3000 {
        match number % 3 {
            0 => drop(send(&service, call("echo")).await),
            1 => drop(respond(&service, call("tell_and_wait")).await),
            _ => {
                let mut waiting = Box::pin(respond(&service, call("wait")));
                let once = std::future::poll_fn(|context| Poll::Ready(waiting.as_mut().poll(context))).await;
                assert!(once.is_pending());
            }
        }
        assert_eq!(metrics.num_alive_tasks(), before);
    }
    assert_eq!((probe.calls(), probe.running()), (3000, 0));
}

fn listen() -> http::Request<http_body_util::Full<Bytes>> {
    let body = json!({ "jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
        "notifications": { "toolsListChanged": true }, "_meta": meta(),
    } });
    post(body.to_string())
}

#[tokio::test]
async fn a_listener_gets_its_acknowledgement_at_once_and_its_result_at_the_end() {
    let (server, probe) = crate::support::server();
    let service = roundtrip_http::StreamableHttp::new(server.clone());
    let response = soon(respond(&service, listen())).await;
    assert_eq!(response.status(), 200);
    let mut body = response.into_body();
    let first = events(&soon(frame(&mut body)).await.unwrap());
    assert_eq!(first[0]["method"], "notifications/subscriptions/acknowledged");
    server.notify_tools_changed();
    let second = events(&soon(frame(&mut body)).await.unwrap());
    assert_eq!(second[0]["method"], "notifications/tools/list_changed");
    roundtrip_server::exchange::Serve::close_streams(&server);
    let rest: Vec<Value> = events(&soon(body.collect()).await.unwrap().to_bytes());
    assert_eq!(rest.last().unwrap()["id"], "l");
    assert_eq!(probe.calls(), 0);
}
