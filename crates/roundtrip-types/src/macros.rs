//! The three shapes that recur all over the model, written once.

/// Declares an enum of strings that keeps the values it does not know.
macro_rules! open_enum {
    (
        $(#[$attr:meta])*
        pub enum $name:ident { $( $(#[$variant_attr:meta])* $variant:ident = $text:literal, )+ }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $( $(#[$variant_attr])* $variant, )+
            /// A value that the specification does not name, kept as it was read.
            Other(String),
        }

        impl $name {
            /// The value as it stands on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( Self::$variant => $text, )+
                    Self::Other(text) => text,
                }
            }

            /// Whether the specification names this value.
            pub fn is_known(&self) -> bool {
                !matches!(self, Self::Other(_))
            }

            fn known(text: &str) -> Option<Self> {
                match text {
                    $( $text => Some(Self::$variant), )+
                    _ => None,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::known(text).unwrap_or_else(|| Self::Other(text.to_owned()))
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::known(&text).unwrap_or(Self::Other(text))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::lenient::Text::deserialize(deserializer).map(|text| match text.0 {
                    std::borrow::Cow::Borrowed(text) => Self::from(text),
                    std::borrow::Cow::Owned(text) => Self::from(text),
                })
            }
        }
    };
}

/// Declares an object whose members are all optional and which keeps the members it does not know.
///
/// Serde's `flatten` would buffer the members and lose the digits of long numbers, so reading and
/// writing are spelled out: one pass, nothing in between.
macro_rules! open_object {
    (
        $(#[$attr:meta])*
        pub struct $name:ident { $( $(#[$field_attr:meta])* pub $field:ident: $ty:ty = $key:literal, )* }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[$field_attr])* pub $field: Option<$ty>, )*
            /// The members that the specification does not name, kept as they were read. One with the
            /// name of a field is not written.
            pub other: $crate::JsonObject,
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                $( if let Some(value) = &self.$field { map.serialize_entry($key, value)?; } )*
                let fields: &[&str] = &[$($key),*];
                for (key, value) in &self.other {
                    if !fields.contains(&key.as_str()) {
                        map.serialize_entry(key, value)?;
                    }
                }
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Members;
                impl<'de> serde::de::Visitor<'de> for Members {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<$name, A::Error> {
                        let mut object = $name::default();
                        while let Some(key) = map.next_key::<$crate::lenient::Text<'de>>()? {
                            match &*key.0 {
                                $( $key => object.$field = map.next_value()?, )*
                                _ => {
                                    object.other.insert(key.0.into_owned(), map.next_value::<$crate::RawJson>()?);
                                }
                            }
                        }
                        Ok(object)
                    }
                }
                deserializer.deserialize_map(Members)
            }
        }
    };
}

/// Writes the `with_field(..)` methods of optional fields; each takes what converts into the field.
macro_rules! setters {
    ($( $method:ident => $field:ident: $ty:ty; )+) => {
        $(
            #[doc = concat!("Sets the field `", stringify!($field), "`.")]
            #[must_use]
            pub fn $method(mut self, $field: impl Into<$ty>) -> Self {
                self.$field = Some($field.into());
                self
            }
        )+
    };
}

/// As `setters!`, for plain values: a literal passed to `impl Into<u64>` would have no type.
macro_rules! value_setters {
    ($( $method:ident => $field:ident: $ty:ty; )+) => {
        $(
            #[doc = concat!("Sets the field `", stringify!($field), "`.")]
            #[must_use]
            pub fn $method(mut self, $field: $ty) -> Self {
                self.$field = Some($field);
                self
            }
        )+
    };
}
