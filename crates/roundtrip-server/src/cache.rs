//! Caching hints: how long an answer stays fresh, and for whom.

use std::time::Duration;

use roundtrip_types::CacheScope;

/// `ttlMs` and `cacheScope`. By default an answer is stale at once and private, which is always safe.
#[derive(Clone, Debug)]
pub(crate) struct CacheHint {
    pub(crate) ttl: Duration,
    pub(crate) scope: CacheScope,
}

impl Default for CacheHint {
    fn default() -> Self {
        Self { ttl: Duration::ZERO, scope: CacheScope::Private }
    }
}

impl CacheHint {
    /// The time in whole milliseconds, as the wire has it.
    pub(crate) fn ttl_ms(&self) -> u64 {
        u64::try_from(self.ttl.as_millis()).unwrap_or(u64::MAX)
    }
}
