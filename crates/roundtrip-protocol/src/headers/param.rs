//! Arguments in headers: a client writes them, a server compares them.

use std::{borrow::Cow, error::Error, fmt};

use http::{HeaderMap, HeaderName, HeaderValue};
use roundtrip_types::McpError;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{HeaderParam, HeaderParamKind, decode_value, encode_value};
use crate::{canonical::Decimal, text};

/// Compares the `Mcp-Param-*` headers of a `tools/call` with its arguments, for a server.
///
/// An argument that is there needs its header, and the header has to say the same: the same text, the same number (`42`
/// and `42.0` are one), the same `true` or `false`. An argument that is absent or `null` has no header. A value that no
/// header can mirror (an object, an array, a fraction) needs none: whoever reads the arguments says what is wrong with
/// it. Headers that mirror nothing of this tool are ignored.
///
/// # Errors
///
/// `-32020` naming the header. `-32602` when the arguments hold a mirrored member twice, since they then say two things.
pub fn check(
    params: &[HeaderParam],
    arguments: Option<&RawValue>,
    headers: &HeaderMap,
) -> Result<(), McpError> {
    if params.is_empty() {
        return Ok(());
    }
    let values = find(params, arguments)
        .map_err(|path| McpError::invalid_params(format!("params.arguments.{path} is there twice")))?;
    for (param, value) in params.iter().zip(values) {
        let mut sent = headers.get_all(&param.header).iter();
        match (sent.next(), Mirrored::of(value)) {
            (None, Mirrored::Nothing | Mirrored::Unfit) => {}
            (None, _) => return Err(mismatch(param, "is missing")),
            (Some(_), Mirrored::Nothing) => {
                return Err(mismatch(param, "mirrors an argument that is absent"));
            }
            (Some(_), _) if sent.next().is_some() => {
                return Err(mismatch(param, "is there more than once"));
            }
            (Some(header), mirrored) => {
                let header = decode_value(header.as_bytes())
                    .map_err(|error| mismatch(param, &format!("can't be read: {error}")))?;
                if !mirrored.agrees(&header) {
                    return Err(mismatch(param, "does not match its argument"));
                }
            }
        }
    }
    Ok(())
}

fn mismatch(param: &HeaderParam, fault: &str) -> McpError {
    McpError::header_mismatch(format!("the {} header {fault}", param.header))
}

/// The `Mcp-Param-*` headers of a `tools/call`, for a client.
///
/// Arguments that are absent, `null` or of a kind that no header can mirror have none.
///
/// # Errors
///
/// When an integer is beyond ±(2^53 − 1), which not every reader of the header can tell from its neighbours, or when
/// the arguments hold a mirrored member twice.
///
/// ```
/// use roundtrip_protocol::headers::{header_params, mirror};
/// use serde_json::{json, value::to_raw_value};
///
/// let schema = json!({"properties": {"tenant": {"type": "string", "x-mcp-header": "Tenant"}}});
/// let arguments = to_raw_value(&json!({"tenant": "acme", "rows": 3}))?;
/// let headers = mirror(&header_params(&schema)?, Some(&arguments))?;
/// assert_eq!(headers[0].0, "mcp-param-tenant");
/// assert_eq!(headers[0].1, "acme");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mirror(
    params: &[HeaderParam],
    arguments: Option<&RawValue>,
) -> Result<Vec<(HeaderName, HeaderValue)>, MirrorError> {
    let values = find(params, arguments).map_err(|path| MirrorError { path, fault: "is there twice" })?;
    let mut headers = Vec::new();
    for (param, value) in params.iter().zip(values) {
        let value = match Mirrored::of(value) {
            Mirrored::Nothing | Mirrored::Unfit => continue,
            Mirrored::Text(text) => encode_value(&text),
            Mirrored::Word(word) => HeaderValue::from_static(word),
            Mirrored::Integer(integer) => {
                if param.kind == HeaderParamKind::Integer && !is_safe(&integer) {
                    return Err(MirrorError {
                        path: param.path.join("."),
                        fault: "is an integer beyond 2^53 - 1, which a header can't carry",
                    });
                }
                let mut digits = Vec::new();
                integer.write(&mut digits);
                HeaderValue::from_maybe_shared(digits).expect("a number is visible ASCII")
            }
        };
        headers.push((param.header.clone(), value));
    }
    Ok(headers)
}

/// An argument that can't be mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MirrorError {
    /// The argument, with dots between the members on the way to it.
    pub path: String,
    fault: &'static str,
}

impl fmt::Display for MirrorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the argument {} {}", self.path, self.fault)
    }
}

impl Error for MirrorError {}

fn is_safe(integer: &Decimal<'_>) -> bool {
    let bound = |text| Decimal::parse(text).expect("the bound is a number");
    (bound("-9007199254740991")..=bound("9007199254740991")).contains(integer)
}

/// What a header says about an argument.
enum Mirrored<'a> {
    /// The argument is absent or `null`.
    Nothing,
    /// The argument is nothing that a header can hold.
    Unfit,
    Text(Cow<'a, str>),
    Integer(Decimal<'a>),
    Word(&'static str),
}

impl<'a> Mirrored<'a> {
    fn of(value: Option<&'a RawValue>) -> Self {
        let Some(raw) = value else { return Self::Nothing };
        match raw.get() {
            "null" => Self::Nothing,
            "true" => Self::Word("true"),
            "false" => Self::Word("false"),
            text if text.starts_with('"') => text::string(raw).map_or(Self::Unfit, Self::Text),
            text => match Decimal::parse(text) {
                Some(number) if number.is_integer() => Self::Integer(number),
                _ => Self::Unfit,
            },
        }
    }

    fn agrees(&self, header: &str) -> bool {
        match self {
            Self::Nothing | Self::Unfit => false,
            Self::Text(text) => text == header,
            Self::Word(word) => *word == header,
            Self::Integer(number) => Decimal::parse(header).is_some_and(|header| header == *number),
        }
    }
}

/// The raw value of each mirrored argument, found in one pass. The error is the way to a member that is there twice.
fn find<'a>(
    params: &[HeaderParam],
    arguments: Option<&'a RawValue>,
) -> Result<Vec<Option<&'a RawValue>>, String> {
    let mut finder = Finder { params, values: vec![None; params.len()], twice: None };
    if let Some(raw) = arguments.filter(|raw| text::is_object(raw)) {
        finder.object(raw, &(0..params.len()).collect::<Vec<_>>(), 0);
    }
    match finder.twice {
        Some(path) => Err(path),
        None => Ok(finder.values),
    }
}

struct Finder<'p, 'a> {
    params: &'p [HeaderParam],
    values: Vec<Option<&'a RawValue>>,
    twice: Option<String>,
}

impl<'a> Finder<'_, 'a> {
    /// Looks into an object that lies on the way of the given parameters, `depth` members deep.
    fn object(&mut self, raw: &'a RawValue, wanted: &[usize], depth: usize) {
        let members = OnTheWay { params: self.params, wanted, depth };
        // The text has been scanned before. A member whose name is half of a surrogate pair ends the search, and the
        // missing header or the handler's type then tells.
        let Ok(members) = serde_json::Deserializer::from_str(raw.get()).deserialize_map(members) else {
            return;
        };
        let mut seen = Vec::new();
        for (name, value) in members {
            if seen.contains(&name) {
                self.twice.get_or_insert(name.into_owned());
                return;
            }
            let (ends, goes_on): (Vec<usize>, Vec<usize>) = wanted
                .iter()
                .filter(|param| self.params[**param].path[depth] == name)
                .partition(|param| self.params[**param].path.len() == depth + 1);
            for param in ends {
                self.values[param] = Some(value);
            }
            if !goes_on.is_empty() && text::is_object(value) {
                self.object(value, &goes_on, depth + 1);
            }
            seen.push(name);
        }
    }
}

/// Reads the members of an object that lie on the way of a parameter.
struct OnTheWay<'p> {
    params: &'p [HeaderParam],
    wanted: &'p [usize],
    depth: usize,
}

impl<'de> Visitor<'de> for OnTheWay<'_> {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(text::Name(name)) = map.next_key()? {
            if self.wanted.iter().any(|param| self.params[*param].path[self.depth] == name) {
                found.push((name, map.next_value()?));
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roundtrip_types::ErrorCode;
    use serde_json::{Value, json};

    use super::*;
    use crate::headers::header_params;

    fn params() -> Vec<HeaderParam> {
        header_params(&json!({"properties": {
            "tenant": {"type": "string", "x-mcp-header": "Tenant"},
            "count": {"type": "integer", "x-mcp-header": "Count"},
            "dry": {"type": "boolean", "x-mcp-header": "Dry"},
            "where": {"properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}}},
        }}))
        .unwrap()
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        headers
    }

    fn compare(arguments: &str, pairs: &[(&'static str, &str)]) -> Result<(), (ErrorCode, String)> {
        let arguments: &RawValue = serde_json::from_str(arguments).unwrap();
        check(&params(), Some(arguments), &headers(pairs)).map_err(|error| (error.code, error.message))
    }

    #[track_caller]
    fn differs(arguments: &str, pairs: &[(&'static str, &str)], words: &str) {
        let (code, message) = compare(arguments, pairs).unwrap_err();
        assert_eq!(code, ErrorCode::HEADER_MISMATCH, "{message}");
        assert!(message.contains(words), "{message:?} lacks {words:?}");
    }

    #[test]
    fn headers_that_say_the_same_pass() {
        for (arguments, pairs) in [
            (r#"{"tenant":"acme"}"#, [("mcp-param-tenant", "acme")]),
            (r#"{"tenant":"acme"}"#, [("mcp-param-tenant", " acme ")]),
            (r#"{"tenant":"acme"}"#, [("mcp-param-tenant", "=?base64?YWNtZQ==?=")]),
            (r#"{"tenant":"h\u00e9llo"}"#, [("mcp-param-tenant", "=?base64?aMOpbGxv?=")]),
            (r#"{"tenant":""}"#, [("mcp-param-tenant", "")]),
            (r#"{"count":42}"#, [("mcp-param-count", "42.0")]),
            (r#"{"count":4.2e1}"#, [("mcp-param-count", "42")]),
            (r#"{"count":-0}"#, [("mcp-param-count", "0")]),
            (r#"{"dry":true}"#, [("mcp-param-dry", "true")]),
            (r#"{"where":{"zone":"z"}}"#, [("mcp-param-zone", "z")]),
            (r#"{"other":1}"#, [("mcp-param-unknown", "whatever")]),
        ] {
            assert_eq!(compare(arguments, &pairs), Ok(()), "{arguments} {pairs:?}");
        }
    }

    #[test]
    fn headers_that_say_something_else_are_refused() {
        for (arguments, pairs) in [
            (r#"{"tenant":"A"}"#, [("mcp-param-tenant", "B")]),
            (r#"{"tenant":"a"}"#, [("mcp-param-tenant", "A")]),
            (r#"{"tenant":"a"}"#, [("mcp-param-tenant", "")]),
            (r#"{"tenant":"42"}"#, [("mcp-param-tenant", "42.0")]),
            (r#"{"count":42}"#, [("mcp-param-count", "43")]),
            (r#"{"count":42}"#, [("mcp-param-count", "+42")]),
            (r#"{"count":42}"#, [("mcp-param-count", "042")]),
            (r#"{"count":9007199254740993}"#, [("mcp-param-count", "9007199254740992")]),
            (r#"{"dry":true}"#, [("mcp-param-dry", "TRUE")]),
            (r#"{"dry":true}"#, [("mcp-param-dry", "1")]),
            (r#"{"tenant":["a"]}"#, [("mcp-param-tenant", "a")]),
            (r#"{"count":1.5}"#, [("mcp-param-count", "1.5")]),
            (r#"{"where":{"zone":"z"}}"#, [("mcp-param-zone", "y")]),
        ] {
            differs(arguments, &pairs, "does not match");
        }
    }

    #[test]
    fn a_header_comes_with_its_argument_and_only_with_it() {
        differs(r#"{"tenant":"a"}"#, &[], "mcp-param-tenant header is missing");
        differs(r#"{"where":{"zone":""}}"#, &[], "mcp-param-zone header is missing");
        for absent in ["{}", r#"{"tenant":null}"#, r#"{"where":{"tenant":"a"}}"#] {
            differs(absent, &[("mcp-param-tenant", "a")], "absent");
            assert_eq!(compare(absent, &[]), Ok(()));
        }
        for absent in
            [r#"{"where":null}"#, r#"{"where":[{"zone":"z"}]}"#, r#"{"zone":"z"}"#, r#"{"where":"zone"}"#]
        {
            differs(absent, &[("mcp-param-zone", "z")], "absent");
        }
        let error = check(&params(), None, &headers(&[("mcp-param-dry", "true")])).unwrap_err();
        assert_eq!(error.code, ErrorCode::HEADER_MISMATCH);
        assert_eq!(check(&params(), None, &HeaderMap::new()), Ok(()));
    }

    #[test]
    fn a_value_that_no_header_mirrors_needs_none() {
        for arguments in
            [r#"{"tenant":{}}"#, r#"{"tenant":[]}"#, r#"{"count":1.5}"#, r#"{"tenant":"\ud800"}"#]
        {
            assert_eq!(compare(arguments, &[]), Ok(()), "{arguments}");
        }
    }

    #[test]
    fn a_header_that_comes_twice_or_cannot_be_read_is_refused() {
        differs(
            r#"{"tenant":"a"}"#,
            &[("mcp-param-tenant", "a"), ("mcp-param-tenant", "a")],
            "more than once",
        );
        differs(r#"{"tenant":"a"}"#, &[("mcp-param-tenant", "=?base64?YQ?=")], "can't be read");
        differs(r#"{"tenant":"é"}"#, &[("mcp-param-tenant", "é")], "can't be read");
    }

    #[test]
    fn an_argument_that_comes_twice_is_refused_by_name() {
        for (arguments, path) in [
            (r#"{"tenant":"a","tenant":"a"}"#, "tenant"),
            (r#"{"tenant":"a","\u0074enant":"b"}"#, "tenant"),
            (r#"{"where":{"zone":"a"},"where":{"zone":"b"}}"#, "where"),
            (r#"{"where":{"zone":"a","zone":"b"}}"#, "zone"),
        ] {
            let (code, message) = compare(arguments, &[("mcp-param-tenant", "a")]).unwrap_err();
            assert_eq!(
                (code, message),
                (ErrorCode::INVALID_PARAMS, format!("params.arguments.{path} is there twice"))
            );
            let raw: &RawValue = serde_json::from_str(arguments).unwrap();
            assert_eq!(mirror(&params(), Some(raw)).unwrap_err().path, path);
        }
        assert_eq!(compare(r#"{"other":1,"other":2}"#, &[]), Ok(()));
    }

    #[test]
    fn a_tool_without_annotations_is_not_checked() {
        assert_eq!(check(&[], None, &headers(&[("mcp-param-tenant", "a")])), Ok(()));
    }

    fn mirrored(arguments: &str) -> Result<Vec<String>, String> {
        let raw: &RawValue = serde_json::from_str(arguments).unwrap();
        match mirror(&params(), Some(raw)) {
            Ok(headers) => Ok(headers
                .iter()
                .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
                .collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn a_client_mirrors_what_is_there() {
        assert_eq!(
            mirrored(r#"{"where":{"zone":" é "},"dry":false,"count":42.0,"tenant":"acme","more":1}"#)
                .unwrap(),
            [
                "mcp-param-count: 42",
                "mcp-param-dry: false",
                "mcp-param-tenant: acme",
                "mcp-param-zone: =?base64?IMOpIA==?=",
            ]
        );
        for nothing in ["{}", r#"{"tenant":null,"count":null}"#, r#"{"tenant":[1]}"#, r#"{"count":1.5}"#] {
            assert_eq!(mirrored(nothing), Ok(vec![]), "{nothing}");
        }
        assert_eq!(mirrored(r#"{"tenant":""}"#).unwrap(), ["mcp-param-tenant: "]);
        assert_eq!(mirror(&params(), None), Ok(vec![]));
    }

    #[test]
    fn an_integer_beyond_the_safe_range_is_refused() {
        for safe in ["9007199254740991", "-9007199254740991", "9007199254740991.0", "0"] {
            assert!(mirrored(&format!(r#"{{"count":{safe}}}"#)).is_ok(), "{safe}");
        }
        for unsafe_integer in ["9007199254740992", "-9007199254740992", "1e30"] {
            let error = mirrored(&format!(r#"{{"count":{unsafe_integer}}}"#)).unwrap_err();
            assert!(error.starts_with("the argument count is an integer beyond"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_a_client_mirrors_a_server_accepts(
            tenant in prop::option::of(any::<String>()),
            count in prop::option::of(-9_007_199_254_740_991..=9_007_199_254_740_991_i64),
            dry in any::<Option<bool>>(),
            zone in prop::option::of("\\PC{0,6}"),
        ) {
            let arguments = json!({"tenant": tenant, "count": count, "dry": dry, "where": {"zone": zone}}).to_string();
            let raw: &RawValue = serde_json::from_str(&arguments).unwrap();
            let headers: HeaderMap = mirror(&params(), Some(raw)).unwrap().into_iter().collect();
            prop_assert_eq!(check(&params(), Some(raw), &headers), Ok(()));
        }

        #[test]
        fn no_arguments_and_no_headers_make_it_panic(json in "[{}\\[\\]:,\"a-z0-9 .-]{0,40}", value in any::<Vec<u8>>()) {
            if let (Ok(raw), Ok(value)) = (serde_json::from_str::<&RawValue>(&json), HeaderValue::from_bytes(&value)) {
                let mut headers = HeaderMap::new();
                headers.insert("mcp-param-tenant", value);
                let fits = check(&params(), Some(raw), &headers).is_ok();
                let read: Option<Value> = serde_json::from_str(&json).ok();
                prop_assert!(!fits || read.is_some_and(|read| read["tenant"].is_string() || read["tenant"].is_number()));
            }
        }
    }
}
