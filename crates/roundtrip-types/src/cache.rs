//! How long and by whom a result may be reused.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

/// Who may share a cached result: `cacheScope`.
///
/// Whatever is not `"public"` reads as [`Private`](Self::Private), the one that cannot leak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new scope has to read as private until it is understood")]
pub enum CacheScope {
    /// Anyone may share it, with whatever authorization.
    Public,
    /// It is for requests with the same authorization only.
    #[default]
    Private,
}

impl CacheScope {
    /// The scope as it stands on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

impl fmt::Display for CacheScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for CacheScope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CacheScope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScopeVisitor;
        impl<'de> Visitor<'de> for ScopeVisitor {
            type Value = CacheScope;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a cache scope")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<CacheScope, E> {
                Ok(if text == "public" { CacheScope::Public } else { CacheScope::Private })
            }

            fn visit_bool<E: Error>(self, _: bool) -> Result<CacheScope, E> {
                Ok(CacheScope::Private)
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<CacheScope, E> {
                Ok(CacheScope::Private)
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<CacheScope, E> {
                Ok(CacheScope::Private)
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<CacheScope, E> {
                Ok(CacheScope::Private)
            }

            fn visit_unit<E: Error>(self) -> Result<CacheScope, E> {
                Ok(CacheScope::Private)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<CacheScope, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(CacheScope::Private)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CacheScope, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(CacheScope::Private)
            }
        }
        deserializer.deserialize_any(ScopeVisitor)
    }
}
