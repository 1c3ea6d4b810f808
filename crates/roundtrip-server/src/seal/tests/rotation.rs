//! Keys are exchanged while flows are under way.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use super::*;
use crate::seal::KeyRing;

const OLD: &[u8; 32] = KEY;
const NEW: &[u8; 32] = OTHER_KEY;

/// An instance of the service, and the ring by which its operator changes keys.
fn instance(keys: &[&[u8; 32]], clock: &ManualClock) -> (Boundary, KeyRing) {
    let ring = KeyRing::new(keys.iter().copied()).expect("good keys");
    (boundary(RequestStateSecurity::ring(ring.clone()).clock(clock.clone())), ring)
}

/// Which key a token was sealed under: the only instance with that key alone opens it.
fn minter(token: &str) -> &'static [u8; 32] {
    let clock = ManualClock::at(start());
    let opens = |key| present(&instance(&[key], &clock).0, token).is_ok();
    if opens(OLD) {
        OLD
    } else if opens(NEW) {
        NEW
    } else {
        panic!("sealed under neither key")
    }
}

#[test]
fn three_phases_lose_no_flow() {
    let clock = ManualClock::at(start());
    let fleet: Vec<(Boundary, KeyRing)> = (0..3).map(|_| instance(&[OLD], &clock)).collect();
    let mut in_flight: Vec<String> = fleet.iter().map(|(boundary, _)| seal(boundary)).collect();

    // Each phase comes to one instance after the other; at each step every instance opens what any of them sealed.
    for (phase, minter_after) in [([OLD, NEW], OLD), ([NEW, OLD], NEW)] {
        for (updated, ring) in &fleet {
            ring.replace(phase).expect("good keys");
            in_flight.extend(fleet.iter().map(|(boundary, _)| seal(boundary)));
            assert_eq!(minter(&seal(updated)), minter_after);
            for token in &in_flight {
                for (boundary, _) in &fleet {
                    assert_eq!(present(boundary, token), opened());
                }
            }
        }
    }

    // One time to live later nothing of the old key is in flight, and it can go.
    let last_of_old =
        in_flight.iter().rfind(|token| minter(token) == OLD).expect("a token under the old key");
    clock.advance(RequestStateSecurity::DEFAULT_TTL);
    assert_eq!(present(&fleet[0].0, last_of_old), Err(Reason::Expired));
    let fresh = seal(&fleet[0].0);
    for (boundary, ring) in &fleet {
        ring.replace([NEW]).expect("a good key");
        assert_eq!(present(boundary, &fresh), opened());
        assert_eq!(present(boundary, last_of_old), Err(Reason::UnknownKey));
    }
}

#[test]
fn to_promote_the_new_key_first_loses_flows() {
    let clock = ManualClock::at(start());
    let ((ahead, _), (behind, _)) = (instance(&[NEW, OLD], &clock), instance(&[OLD], &clock));
    assert_eq!(present(&ahead, &seal(&behind)), opened());
    assert_eq!(present(&behind, &seal(&ahead)), Err(Reason::UnknownKey));
}

#[test]
fn replicas_in_the_middle_of_a_rotation() {
    let clock = ManualClock::at(start());
    let [first, second, third] = [&[OLD][..], &[NEW, OLD], &[NEW]].map(|keys| instance(keys, &clock).0);
    let token = seal(&first);
    assert_eq!(present(&second, &token), opened());
    assert_eq!(present(&third, &token), Err(Reason::UnknownKey));
    let resealed = seal(&second);
    assert_eq!(minter(&resealed), NEW);
    assert_eq!(present(&third, &resealed), opened());
    assert_eq!(present(&first, &resealed), Err(Reason::UnknownKey));
}

#[test]
fn what_is_not_a_ring_leaves_the_ring_as_it_was() {
    let clock = ManualClock::at(start());
    let (boundary, ring) = instance(&[OLD], &clock);
    let token = seal(&boundary);
    assert!(ring.replace(Vec::<Vec<u8>>::new()).is_err());
    assert!(ring.replace([&NEW[..], b"short"]).is_err());
    assert!(ring.replace([NEW, NEW]).is_err());
    assert_eq!(present(&boundary, &token), opened());
    assert_eq!(minter(&seal(&boundary)), OLD);
}

#[test]
fn one_ring_serves_several_servers() {
    let ring = KeyRing::new([OLD]).expect("a good key");
    let [one, other] = ["a", "b"].map(|name| {
        RequestStateSecurity::ring(ring.clone()).into_boundary(Some(name)).expect("a valid policy")
    });
    let before = seal(&one);
    ring.replace([NEW]).expect("a good key");
    assert_eq!(present(&one, &before), Err(Reason::UnknownKey));
    assert_eq!(present(&other, &seal(&other)), opened());
    assert_eq!(present(&other, &seal(&one)), Err(Reason::AudienceMismatch));
}

#[test]
fn a_ring_is_exchanged_at_once() {
    let clock = ManualClock::at(start());
    let (boundary, ring) = instance(&[OLD, NEW], &clock);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..500 {
                ring.replace([NEW, OLD]).expect("good keys");
                ring.replace([OLD, NEW]).expect("good keys");
            }
            done.store(true, Ordering::Release);
        });
        let mut rounds = 0;
        while rounds < 100 || !done.load(Ordering::Acquire) {
            assert_eq!(present(&boundary, &seal(&boundary)), opened());
            rounds += 1;
        }
    });
}
