//! Where a server reads the time and its randomness: one trait each, so that a test owns both.
//!
//! [`SystemClock`] and [`SystemRandom`] are what a server uses unless told otherwise. [`ManualClock`] stands
//! still until a test moves it, and [`SeededRandom`] says the same thing every time; neither belongs into
//! production.

use std::{
    error::Error as StdError,
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use sha2::{Digest, Sha256};

/// Tells the time of day.
pub trait Clock: fmt::Debug + Send + Sync + 'static {
    /// The present moment. It may jump, in both directions, when the system's clock is set.
    fn now(&self) -> SystemTime;
}

/// The clock of the operating system.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "it holds nothing, and never will")]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }
}

/// A clock that moves only when it is told to. Clones tell the same time.
///
/// ```
/// use std::time::{Duration, SystemTime};
/// use roundtrip_server::clock::{Clock, ManualClock};
///
/// let clock = ManualClock::at(SystemTime::UNIX_EPOCH);
/// let seen_by_the_server = clock.clone();
/// clock.advance(Duration::from_secs(600));
/// assert_eq!(seen_by_the_server.now(), SystemTime::UNIX_EPOCH + Duration::from_secs(600));
/// ```
#[derive(Clone, Debug)]
pub struct ManualClock(Arc<Mutex<SystemTime>>);

impl ManualClock {
    /// A clock that stands at this moment.
    #[must_use]
    pub fn at(moment: SystemTime) -> Self {
        Self(Arc::new(Mutex::new(moment)))
    }

    /// Moves the clock to this moment, which may be an earlier one.
    pub fn set(&self, moment: SystemTime) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = moment;
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> SystemTime {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Clock + ?Sized> Clock for Arc<T> {
    fn now(&self) -> SystemTime {
        (**self).now()
    }
}

/// A source of bytes that nobody can guess.
pub trait Random: fmt::Debug + Send + Sync + 'static {
    /// Overwrites all of `bytes` with random ones.
    ///
    /// # Errors
    ///
    /// When the source has none to give; `bytes` must not be used then.
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError>;
}

/// The random number generator of the operating system, asked anew for each call.
///
/// Nothing is kept in a buffer of this process, so a process that forks, or a virtual machine that is restored
/// twice from one snapshot, never repeats a value.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "it holds nothing, and never will")]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        getrandom::fill(bytes).map_err(RandomError::new)
    }
}

/// Bytes that look random and are the same for the same seed. Clones continue one another's sequence.
///
/// For tests only: whoever knows the seed knows every byte.
#[derive(Clone, Debug)]
pub struct SeededRandom {
    seed: u64,
    block: Arc<AtomicU64>,
}

impl SeededRandom {
    /// A source that says the same for the same `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed, block: Arc::default() }
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        for chunk in bytes.chunks_mut(32) {
            let block = self.block.fetch_add(1, Ordering::Relaxed);
            let digest = Sha256::new()
                .chain_update(self.seed.to_le_bytes())
                .chain_update(block.to_le_bytes())
                .finalize();
            chunk.copy_from_slice(&digest[..chunk.len()]);
        }
        Ok(())
    }
}

impl<T: Random + ?Sized> Random for Arc<T> {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), RandomError> {
        (**self).fill(bytes)
    }
}

/// The source of randomness had nothing to give.
#[derive(Debug)]
pub struct RandomError(Box<dyn StdError + Send + Sync>);

impl RandomError {
    /// Wraps what the source said.
    #[must_use]
    pub fn new(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self(source.into())
    }
}

impl fmt::Display for RandomError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source of randomness failed")
    }
}

impl StdError for RandomError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_when_told_and_for_all_its_clones() {
        let clock = ManualClock::at(SystemTime::UNIX_EPOCH);
        let other = clock.clone();
        assert_eq!(other.now(), SystemTime::UNIX_EPOCH);
        clock.advance(Duration::from_millis(5));
        assert_eq!(other.now(), SystemTime::UNIX_EPOCH + Duration::from_millis(5));
        other.set(SystemTime::UNIX_EPOCH);
        assert_eq!(clock.now(), SystemTime::UNIX_EPOCH);
    }

    #[test]
    fn the_system_source_fills_every_byte_and_does_not_repeat() {
        let (mut first, mut second) = ([0; 64], [0; 64]);
        SystemRandom.fill(&mut first).expect("the system has randomness");
        SystemRandom.fill(&mut second).expect("the system has randomness");
        assert_ne!(first, second);
        assert!(first.chunks(16).all(|part| part != [0; 16]));
    }

    #[test]
    fn a_seeded_source_repeats_by_seed_and_never_within_a_sequence() {
        let draw = |random: &SeededRandom| {
            let mut bytes = [0; 40];
            random.fill(&mut bytes).expect("a seeded source never fails");
            bytes
        };
        let (one, same, other) = (SeededRandom::new(1), SeededRandom::new(1), SeededRandom::new(2));
        let first = draw(&one);
        assert_eq!(first, draw(&same));
        assert_ne!(first, draw(&other));
        assert_ne!(first, draw(&one.clone()));
    }
}
