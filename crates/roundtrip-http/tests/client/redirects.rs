//! Where a redirect is followed, and where not.

use crate::support::{Answer, RESPONSE, answer, exchange, json, peer, request};

fn to(status: &str, location: &str) -> Answer {
    Answer::Write(answer(status, &format!("location: {location}"), "moved"))
}

#[tokio::test]
async fn on_the_same_origin_with_all_that_was_sent() {
    for status in ["307 Temporary Redirect", "308 Permanent Redirect"] {
        let mut peer = peer(move |number, _| match number {
            0 => to(status, "/mcp/"),
            _ => Answer::Write(json(RESPONSE)),
        })
        .await;
        let transport = peer.transport().header("authorization", "Bearer t").unwrap();
        assert_eq!(exchange(&transport).await.unwrap(), [RESPONSE]);
        let (first, second) = (peer.requests.recv().await.unwrap(), peer.requests.recv().await.unwrap());
        assert!(
            first.head.starts_with("POST /mcp HTTP/1.1\r\n")
                && second.head.starts_with("POST /mcp/ HTTP/1.1\r\n")
        );
        assert_eq!(second.body.as_bytes(), request().body);
        let rest = |head: &str| head.split_once("\r\n").unwrap().1.to_owned();
        assert_eq!(rest(&first.head), rest(&second.head));
        assert_eq!(second.header("authorization"), Some("Bearer t"));
    }
}

#[tokio::test]
async fn not_to_another_origin() {
    let mut elsewhere = peer(|_, _| Answer::Write(json(RESPONSE))).await;
    let there = elsewhere.url();
    let here = peer(move |_, _| to("307 Temporary Redirect", &there)).await;
    let transport = here.transport().header("authorization", "Bearer t").unwrap();
    let error = exchange(&transport).await.unwrap_err();
    assert_eq!(error.status().unwrap(), 307);
    assert!(error.to_string().contains(&elsewhere.url()), "{error}");
    assert!(elsewhere.requests.try_recv().is_err(), "nothing was sent there");
}

#[tokio::test]
async fn not_where_it_would_lose_the_request() {
    for status in ["301 Moved Permanently", "302 Found", "303 See Other"] {
        let mut peer = peer(move |_, _| to(status, "/mcp/")).await;
        let error = exchange(&peer.transport()).await.unwrap_err();
        assert!(error.to_string().contains(&format!("{}/", peer.url())), "{error}");
        peer.requests.recv().await.unwrap();
        assert!(peer.requests.try_recv().is_err(), "{status} is not followed");
    }
}

#[tokio::test]
async fn not_for_ever() {
    let mut peer = peer(|number, _| to("307 Temporary Redirect", &format!("/mcp/{number}"))).await;
    let error = exchange(&peer.transport()).await.unwrap_err();
    assert!(error.to_string().contains("more than 5"), "{error}");
    let mut requests = 0;
    while peer.requests.try_recv().is_ok() {
        requests += 1;
    }
    assert_eq!(requests, 6, "the request, and five times more");
}
