//! A request that is dropped ends its connection, which tells the server.

use roundtrip_client::Transport;

use crate::support::{Answer, PROGRESS, RESPONSE, exchange, json, open_stream, peer, request, soon};

/// The first request is left hanging after `start`; later ones are answered.
async fn hanging(start: Vec<u8>) -> crate::support::Peer {
    peer(move |number, _| match number {
        0 => Answer::WriteAndHang(start.clone()),
        _ => Answer::Write(json(RESPONSE)),
    })
    .await
}

#[tokio::test]
async fn before_the_answer() {
    let mut peer = hanging(Vec::new()).await;
    let transport = peer.transport();
    {
        let mut waiting = transport.exchange(request());
        tokio::select! {
            biased;
            _ = &mut waiting => panic!("nothing answers"),
            _ = soon(peer.requests.recv()) => {}
        }
    }
    soon(peer.gone.recv()).await.unwrap();
    assert_eq!(exchange(&transport).await.unwrap(), [RESPONSE]);
}

#[tokio::test]
async fn in_the_middle_of_a_stream() {
    let mut peer = hanging(open_stream([format!("data: {PROGRESS}\n\n").as_bytes()])).await;
    let transport = peer.transport();
    let mut messages = soon(transport.exchange(request())).await.unwrap();
    assert_eq!(soon(messages.next()).await.unwrap().unwrap(), PROGRESS);
    drop(messages);
    soon(peer.gone.recv()).await.unwrap();
    assert_eq!(exchange(&transport).await.unwrap(), [RESPONSE]);
}

#[tokio::test]
async fn a_message_that_is_awaited_twice_is_not_lost() {
    let mut peer = hanging(open_stream([format!("data: {PROGRESS}\n\ndata: {RESPONSE}").as_bytes()])).await;
    let transport = peer.transport();
    let mut messages = soon(transport.exchange(request())).await.unwrap();
    soon(messages.next()).await.unwrap();
    for _ in 0..3 {
        let mut next = messages.next();
        let once = std::future::poll_fn(|context| std::task::Poll::Ready(next.as_mut().poll(context))).await;
        assert!(once.is_pending());
    }
    drop((messages, transport));
    soon(peer.gone.recv()).await.unwrap();
}

#[tokio::test]
async fn others_go_on() {
    let mut peer = hanging(Vec::new()).await;
    let transport = peer.transport();
    let mut waiting = transport.exchange(request());
    tokio::select! {
        biased;
        _ = &mut waiting => panic!("nothing answers"),
        _ = soon(peer.requests.recv()) => {}
    }
    assert_eq!(exchange(&transport).await.unwrap(), [RESPONSE], "at the same time");
    drop(waiting);
    soon(peer.gone.recv()).await.unwrap();
}
