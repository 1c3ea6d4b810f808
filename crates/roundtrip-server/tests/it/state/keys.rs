//! Keys are exchanged while calls are in flight.

use roundtrip_server::{
    McpServer,
    seal::{KeyRing, RequestStateSecurity},
};

use super::{STATE, frozen, mint, present, server, targets};
use crate::support::Count;

const OLD: [u8; 32] = [7; 32];
const NEW: [u8; 32] = [8; 32];
const OTHER: [u8; 32] = [9; 32];

fn replica<const N: usize>(keys: [[u8; 32]; N]) -> McpServer {
    server("Test", RequestStateSecurity::keys(keys).unwrap(), &Count::default())
}

/// Presents what `from` minted to `to`, by each method.
async fn in_flight(from: &McpServer, to: &McpServer, opens: bool) {
    for (method, params) in targets() {
        let token = mint(from, method, &params).await;
        let want = if opens { Ok(STATE.to_owned()) } else { Err(frozen()) };
        assert_eq!(present(to, method, &params, &token).await, want, "{method}");
    }
}

#[tokio::test]
async fn a_rotation_in_three_steps_loses_no_call() {
    let steps = [replica([OLD]), replica([OLD, NEW]), replica([NEW, OLD]), replica([NEW])];
    for pair in steps.windows(2) {
        let [before, after] = pair else { unreachable!("windows of two") };
        // While a step is rolled out, both stand side by side: a call may go either way.
        in_flight(before, after, true).await;
        in_flight(after, before, true).await;
    }
    // A step that is left out loses calls: the new key seals before everybody knows it.
    in_flight(&steps[2], &steps[0], false).await;
    in_flight(&steps[0], &steps[3], false).await;
}

#[tokio::test]
async fn the_next_round_is_sealed_with_the_first_key() {
    let (old, both, new) = (replica([OLD]), replica([NEW, OLD]), replica([NEW]));
    for (method, params) in targets() {
        let token = mint(&both, method, &params).await;
        assert_eq!(present(&new, method, &params, &token).await, Ok(STATE.to_owned()));
        assert_eq!(present(&old, method, &params, &token).await, Err(frozen()));
    }
}

#[tokio::test]
async fn a_foreign_key_opens_nothing() {
    in_flight(&replica([OLD]), &replica([OTHER]), false).await;
    in_flight(&replica([OLD]), &replica([OTHER, NEW]), false).await;
}

#[tokio::test]
async fn a_ring_is_exchanged_in_a_running_server() {
    let runs = Count::default();
    let ring = KeyRing::new([OLD]).unwrap();
    let server = server("Test", RequestStateSecurity::ring(ring.clone()), &runs);
    let (method, params) = &targets()[0];
    let present = async |token: &str| present(&server, method, params, token).await;

    let of_old = mint(&server, method, params).await;
    ring.replace([OLD, NEW]).unwrap();
    assert_eq!(present(&of_old).await, Ok(STATE.to_owned()));
    ring.replace([NEW, OLD]).unwrap();
    assert_eq!(present(&of_old).await, Ok(STATE.to_owned()));
    let of_new = mint(&server, method, params).await;
    ring.replace([NEW]).unwrap();
    assert_eq!(present(&of_new).await, Ok(STATE.to_owned()));
    let before = runs.get();
    assert_eq!(present(&of_old).await, Err(frozen()));
    assert_eq!(runs.get(), before);

    // Keys that are no good leave the ring as it was.
    ring.replace([[0; 31].as_slice()]).unwrap_err();
    ring.replace([OTHER, OTHER]).unwrap_err();
    ring.replace::<[u8; 32]>([]).unwrap_err();
    assert_eq!(present(&of_new).await, Ok(STATE.to_owned()));
}
