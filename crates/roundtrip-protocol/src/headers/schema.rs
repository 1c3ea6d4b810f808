//! `x-mcp-header`: which arguments of a tool a client mirrors into headers.

use std::{error::Error, fmt};

use http::HeaderName;
use serde_json::{Map, Value};

use super::PARAM_PREFIX;

const ANNOTATION: &str = "x-mcp-header";

/// How deeply a schema may be nested: 128 levels, as deep as a JSON reader with the usual limit reads one.
const MAX_DEPTH: usize = 128;

/// An argument that is mirrored into a `Mcp-Param-*` header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderParam {
    /// The header, such as `mcp-param-tenant`.
    pub header: HeaderName,
    /// The way to the argument: the member of `arguments`, then the member of that member, and so on.
    pub path: Vec<String>,
    /// What the schema says the argument is.
    pub kind: HeaderParamKind,
}

/// The types that an argument in a header can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HeaderParamKind {
    /// `"type": "string"`
    String,
    /// `"type": "integer"`
    Integer,
    /// `"type": "boolean"`
    Boolean,
}

/// The mirrored arguments of a tool, from its `inputSchema`.
///
/// # Errors
///
/// When an annotation is empty, `null` or no token; when two are alike but for case; when one stands on anything but a
/// `string`, `integer` or `boolean`; or when one can't be reached from the root through `properties` alone. A client
/// leaves such a tool out of the list, and a server refuses to register it.
///
/// ```
/// use roundtrip_protocol::headers::header_params;
/// use serde_json::json;
///
/// let schema = json!({"type": "object", "properties": {
///     "tenant": {"type": "string", "x-mcp-header": "Tenant"},
/// }});
/// assert_eq!(header_params(&schema)?[0].header, "mcp-param-tenant");
///
/// let schema = json!({"properties": {"price": {"type": "number", "x-mcp-header": "Price"}}});
/// assert!(header_params(&schema).is_err());
/// # Ok::<(), roundtrip_protocol::headers::HeaderParamError>(())
/// ```
pub fn header_params(schema: &Value) -> Result<Vec<HeaderParam>, HeaderParamError> {
    let mut walk = Walk { found: Vec::new(), path: Vec::new() };
    walk.schema(schema, Place::Root, 0)?;
    Ok(walk.found)
}

/// An annotation that makes its tool invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HeaderParamError {
    /// Where in the schema: the members on the way, with dots between them.
    pub place: String,
    fault: &'static str,
}

impl fmt::Display for HeaderParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            write!(f, "{ANNOTATION} in the input schema {}", self.fault)
        } else {
            write!(f, "{ANNOTATION} at {} in the input schema {}", self.place, self.fault)
        }
    }
}

impl Error for HeaderParamError {}

/// Where a schema stands, as far as an annotation in it depends on that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The schema itself.
    Root,
    /// A property of the root or of such a property.
    Property,
    /// Anywhere else.
    Elsewhere,
}

struct Walk<'s> {
    found: Vec<HeaderParam>,
    /// All keys on the way, of keywords and of members.
    path: Vec<&'s str>,
}

impl<'s> Walk<'s> {
    fn schema(&mut self, schema: &'s Value, place: Place, depth: usize) -> Result<(), HeaderParamError> {
        if !(schema.is_object() || schema.is_array()) {
            return Ok(());
        }
        if depth > MAX_DEPTH {
            return Err(self.fault("is nested too deeply to be found"));
        }
        match schema {
            Value::Object(schema) => self.object(schema, place, depth),
            Value::Array(schemas) => {
                schemas.iter().try_for_each(|schema| self.schema(schema, Place::Elsewhere, depth + 1))
            }
            _ => Ok(()),
        }
    }

    fn object(
        &mut self,
        schema: &'s Map<String, Value>,
        place: Place,
        depth: usize,
    ) -> Result<(), HeaderParamError> {
        for (keyword, value) in schema {
            match keyword.as_str() {
                ANNOTATION => self.annotation(schema, value, place)?,
                // These hold data, in which the word has no meaning.
                "default" | "const" | "enum" | "examples" | "required" => {}
                "properties" => {
                    let place = if place == Place::Elsewhere { place } else { Place::Property };
                    self.members(keyword, value, place, depth)?;
                }
                "patternProperties" | "$defs" | "definitions" | "dependentSchemas" | "dependencies" => {
                    self.members(keyword, value, Place::Elsewhere, depth)?;
                }
                _ => {
                    self.path.push(keyword);
                    self.schema(value, Place::Elsewhere, depth + 1)?;
                    self.path.pop();
                }
            }
        }
        Ok(())
    }

    /// The schemas of an object whose keys are names and no keywords.
    fn members(
        &mut self,
        keyword: &'s str,
        value: &'s Value,
        place: Place,
        depth: usize,
    ) -> Result<(), HeaderParamError> {
        let Value::Object(members) = value else { return Ok(()) };
        self.path.push(keyword);
        for (name, schema) in members {
            self.path.push(name);
            self.schema(schema, place, depth + 2)?;
            self.path.pop();
        }
        self.path.pop();
        Ok(())
    }

    fn annotation(
        &mut self,
        schema: &Map<String, Value>,
        value: &Value,
        place: Place,
    ) -> Result<(), HeaderParamError> {
        if place != Place::Property {
            return Err(self.fault("can't be reached through properties alone"));
        }
        let Value::String(name) = value else { return Err(self.fault("must be a string")) };
        if name.is_empty() {
            return Err(self.fault("must not be empty"));
        }
        let header = HeaderName::from_bytes(format!("{PARAM_PREFIX}{name}").as_bytes())
            .map_err(|_| self.fault("must be a token that can stand in a header name"))?;
        let kind = schema
            .get("type")
            .and_then(kind)
            .ok_or_else(|| self.fault("must stand on exactly one of string, integer and boolean"))?;
        if self.found.iter().any(|other| other.header == header) {
            return Err(self.fault("is there twice, the case of letters aside"));
        }
        // The way holds each property's name after a `properties`.
        let path = self.path.iter().skip(1).step_by(2).map(|name| (*name).to_owned()).collect();
        self.found.push(HeaderParam { header, path, kind });
        Ok(())
    }

    fn fault(&self, fault: &'static str) -> HeaderParamError {
        HeaderParamError { place: self.path.join("."), fault }
    }
}

fn kind(schema_type: &Value) -> Option<HeaderParamKind> {
    let name = match schema_type {
        Value::String(name) => name,
        Value::Array(names) => match names.as_slice() {
            [Value::String(name)] => name,
            _ => return None,
        },
        _ => return None,
    };
    match name.as_str() {
        "string" => Some(HeaderParamKind::String),
        "integer" => Some(HeaderParamKind::Integer),
        "boolean" => Some(HeaderParamKind::Boolean),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(schema: &Value) -> Result<Vec<String>, String> {
        header_params(schema)
            .map(|params| {
                params
                    .iter()
                    .map(|param| format!("{} {} {:?}", param.header, param.path.join("."), param.kind))
                    .collect()
            })
            .map_err(|error| error.to_string())
    }

    fn on_property(property: &Value) -> Result<Vec<String>, String> {
        shown(&json!({"type": "object", "properties": {"p": property}}))
    }

    #[test]
    fn annotated_primitives_are_found_at_any_depth() {
        let schema = json!({
            "type": "object",
            "properties": {
                "plain": {"type": "string"},
                "tenant": {"type": "string", "x-mcp-header": "Tenant"},
                "where": {"type": "object", "properties": {
                    "zone": {"type": ["integer"], "x-mcp-header": "Zone-Number"},
                    "deep": {"properties": {"dry": {"type": "boolean", "x-mcp-header": "dry_run"}}},
                }},
            },
        });
        let mut found = shown(&schema).unwrap();
        found.sort();
        assert_eq!(
            found,
            [
                "mcp-param-dry_run where.deep.dry Boolean",
                "mcp-param-tenant tenant String",
                "mcp-param-zone-number where.zone Integer",
            ]
        );
    }

    #[test]
    fn a_schema_without_annotations_mirrors_nothing() {
        for schema in
            [json!({}), json!(true), json!({"type": "object", "properties": {"a": true}}), json!(null)]
        {
            assert_eq!(shown(&schema), Ok(vec![]));
        }
    }

    #[test]
    fn each_bad_annotation_is_refused_by_name() {
        let cases = [
            (json!({"type": "string", "x-mcp-header": ""}), "must not be empty"),
            (json!({"type": "string", "x-mcp-header": null}), "must be a string"),
            (json!({"type": "string", "x-mcp-header": 5}), "must be a string"),
            (json!({"type": "string", "x-mcp-header": "Bad Name"}), "must be a token"),
            (json!({"type": "string", "x-mcp-header": "A\r\nB"}), "must be a token"),
            (json!({"type": "string", "x-mcp-header": "é"}), "must be a token"),
            (json!({"type": "number", "x-mcp-header": "A"}), "exactly one of"),
            (json!({"type": ["string", "null"], "x-mcp-header": "A"}), "exactly one of"),
            (json!({"type": "object", "x-mcp-header": "A"}), "exactly one of"),
            (json!({"x-mcp-header": "A"}), "exactly one of"),
        ];
        for (property, fault) in cases {
            let error = on_property(&property).unwrap_err();
            assert!(error.contains(fault) && error.contains("properties.p"), "{property}: {error}");
        }
    }

    #[test]
    fn an_annotation_that_properties_alone_do_not_reach_is_refused() {
        let annotated = json!({"type": "string", "x-mcp-header": "A"});
        let schemas = [
            json!({"type": "string", "x-mcp-header": "A"}),
            json!({"properties": {"p": {"type": "array", "items": annotated}}}),
            json!({"properties": {"p": {"anyOf": [annotated]}}}),
            json!({"oneOf": [{"properties": {"p": annotated}}]}),
            json!({"allOf": [{"properties": {"p": annotated}}]}),
            json!({"not": {"properties": {"p": annotated}}}),
            json!({"if": {"properties": {"p": annotated}}}),
            json!({"then": {"properties": {"p": annotated}}}),
            json!({"else": {"properties": {"p": annotated}}}),
            json!({"properties": {"p": {"$ref": "#/$defs/T"}}, "$defs": {"T": annotated}}),
            json!({"properties": {"p": {"$ref": "#/definitions/T"}}, "definitions": {"T": annotated}}),
            json!({"properties": {"p": {"$ref": "#/shared/T"}}, "shared": {"T": annotated}}),
            json!({"patternProperties": {"^p": annotated}}),
            json!({"additionalProperties": annotated}),
            json!({"prefixItems": [annotated]}),
            json!({"$defs": {"T": {"properties": {"p": annotated}}}}),
        ];
        for schema in schemas {
            let error = shown(&schema).unwrap_err();
            assert!(error.ends_with("can't be reached through properties alone"), "{schema}: {error}");
        }
    }

    #[test]
    fn two_names_that_differ_by_case_are_refused() {
        let error = shown(&json!({"properties": {
            "a": {"type": "string", "x-mcp-header": "Tenant"},
            "b": {"type": "string", "x-mcp-header": "TENANT"},
        }}))
        .unwrap_err();
        assert!(error.contains("twice"), "{error}");
    }

    #[test]
    fn the_word_is_no_annotation_where_it_is_data_or_a_name() {
        let schema = json!({
            "default": {"x-mcp-header": 5},
            "properties": {
                "x-mcp-header": {"type": "string", "examples": [{"x-mcp-header": "A"}]},
                "properties": {"type": "object", "properties": {"q": {"type": "string", "x-mcp-header": "Q"}}},
            },
        });
        assert_eq!(shown(&schema), Ok(vec!["mcp-param-q properties.q String".to_owned()]));
    }

    #[test]
    fn a_bottomless_schema_is_refused_and_one_at_the_limit_is_read() {
        let nested = |levels: usize| {
            (0..levels).fold(
                json!({"type": "string", "x-mcp-header": "A"}),
                |inner, _| json!({"properties": {"p": inner}}),
            )
        };
        assert_eq!(header_params(&nested(64)).unwrap()[0].path.len(), 64);
        assert!(shown(&nested(65)).unwrap_err().contains("too deeply"));
        assert!(shown(&nested(300)).unwrap_err().contains("too deeply"));
    }
}
