//! Keys are neither shown nor left behind.

use zeroize::{ZeroizeOnDrop, Zeroizing};

use super::*;
use crate::seal::{Key, KeyRing, SecurityError};

/// Whether `shown` holds any six bytes of the key in a row, as text, as hex, or as a list of numbers.
fn shows(shown: &str, key: &[u8]) -> bool {
    key.windows(6).any(|part| {
        let hex: String = part.iter().map(|byte| format!("{byte:02x}")).collect();
        let numbers: Vec<String> = part.iter().map(ToString::to_string).collect();
        shown.contains(&hex)
            || shown.to_lowercase().contains(&hex)
            || shown.contains(&numbers.join(", "))
            || str::from_utf8(part).is_ok_and(|text| shown.contains(text))
    })
}

#[test]
fn debug_shows_no_key() {
    let ring = KeyRing::new([KEY, OTHER_KEY]).expect("good keys");
    let policy = RequestStateSecurity::ring(ring.clone());
    let boundary = boundary(policy.clone());
    let binding = call(&boundary);
    let shown = [
        format!("{:?} {:#?}", Key::from(KEY), Key::from(KEY)),
        format!("{ring:?} {ring:#?}"),
        format!("{policy:?} {policy:#?}"),
        format!("{boundary:?} {boundary:#?}"),
        format!("{binding:?} {binding:#?}"),
    ];
    let derived = ring.current();
    for text in &shown {
        for key in [&KEY[..], OTHER_KEY, derived.minter().secret.as_slice()] {
            assert!(!shows(text, key), "{text}");
        }
        assert!(!text.contains("orders"), "{text}");
    }
    assert_eq!(shown[0], "Key { .. } Key { .. }");
    assert!(shown[1].starts_with("KeyRing { keys: 2, .. }"), "{}", shown[1]);
}

#[test]
fn errors_show_no_key() {
    let short = &KEY[..31];
    let errors = [KeyRing::new([short]).err(), KeyRing::new([KEY, KEY]).err()];
    for error in errors {
        let error = error.expect("refused");
        assert!(!shows(&format!("{error} {error:?} {error:#?}"), KEY), "{error}");
    }
    let error: SecurityError = policy().into_boundary(None).expect_err("no audience").remove(0);
    assert!(!shows(&format!("{error} {error:?}"), KEY), "{error}");
}

#[test]
fn what_holds_a_key_wipes_itself() {
    fn wipes_itself<T: ZeroizeOnDrop>(_: &T) {}
    let ring = KeyRing::new([KEY]).expect("a good key");
    let keys = ring.current();
    let secret: &Zeroizing<[u8; 32]> = &keys.minter().secret;
    wipes_itself(secret);
    wipes_itself(&<chacha20poly1305::XChaCha20Poly1305 as chacha20poly1305::KeyInit>::new(
        (&**secret).into(),
    ));
}

/// Looks at what stands at an address of this process. What was freed stays readable there until somebody else gets
/// it, so whoever looks must not ask for memory in between.
#[cfg(target_os = "linux")]
struct Memory<const N: usize> {
    file: std::fs::File,
    bytes: [u8; N],
}

#[cfg(target_os = "linux")]
impl<const N: usize> Memory<N> {
    fn new() -> Self {
        Self {
            file: std::fs::File::open("/proc/self/mem").expect("a process may read itself"),
            bytes: [0; N],
        }
    }

    fn at(&mut self, address: usize) -> &[u8; N] {
        use std::os::unix::fs::FileExt as _;
        self.file.read_exact_at(&mut self.bytes, address as u64).expect("the heap does not shrink");
        &self.bytes
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_dropped_key_is_not_in_memory_any_more() {
    let mut memory = Memory::<2048>::new();
    let key = Key::from(vec![0xa7; 2048]);
    let address = key.address();
    assert_eq!(memory.at(address), &[0xa7; 2048], "the key is where it is looked for");
    drop(key);
    let left = memory.at(address).iter().filter(|byte| **byte == 0xa7).count();
    assert!(left < 64, "{left} bytes of the key are left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_replaced_key_is_not_in_memory_any_more() {
    let mut memory = Memory::<32>::new();
    let ring = KeyRing::new([KEY]).expect("a good key");
    let secret: [u8; 32] = **ring.current().minter().secret;
    let address = ring.current().minter().secret.as_ptr() as usize;
    assert_eq!(memory.at(address), &secret, "the key is where it is looked for");
    drop(ring);
    // The allocator writes its own notes into the first bytes of what it was given back.
    assert_ne!(memory.at(address)[16..], secret[16..]);
}
