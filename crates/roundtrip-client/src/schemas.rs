//! What the last listing said about arguments that have to be mirrored into headers.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use http::{HeaderName, HeaderValue};
use roundtrip_protocol::headers::{self, HeaderParam};
use roundtrip_types::{RawJson, Tool};

use crate::{Error, Result};

/// How many tools are remembered. What is beyond is called without its headers, which a server that insists on them
/// refuses.
const MOST: usize = 10_000;

/// The `x-mcp-header` annotations of the tools that were listed last. Tools without any are not kept.
#[derive(Debug, Default)]
pub(crate) struct Schemas {
    tools: Mutex<HashMap<String, Arc<[HeaderParam]>>>,
}

impl Schemas {
    /// Reads the annotations of listed tools. A tool whose annotations are invalid is left out, with a warning.
    pub(crate) fn learn(&self, tools: &mut Vec<Tool>) {
        let mut known = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        tools.retain(|tool| match annotations(tool) {
            Ok(params) if params.is_empty() => {
                known.remove(&tool.name);
                true
            }
            Ok(params) => {
                if known.len() < MOST || known.contains_key(&tool.name) {
                    known.insert(tool.name.clone(), params.into());
                }
                true
            }
            Err(error) => {
                tracing::warn!(
                    tool = tool.name,
                    error,
                    "left out a tool whose `x-mcp-header` can't be followed"
                );
                known.remove(&tool.name);
                false
            }
        });
    }

    /// The headers that a call of `tool` has to carry, by what was listed last.
    pub(crate) fn mirror(
        &self,
        tool: &str,
        arguments: Option<&RawJson>,
    ) -> Result<Vec<(HeaderName, HeaderValue)>> {
        let params = self.tools.lock().unwrap_or_else(PoisonError::into_inner).get(tool).cloned();
        let Some(params) = params else { return Ok(Vec::new()) };
        headers::mirror(&params, arguments.map(RawJson::as_raw)).map_err(|error| {
            Error::request_because(
                format!("an argument of the tool {tool:?} can't be mirrored into its header"),
                error,
            )
        })
    }
}

fn annotations(tool: &Tool) -> Result<Vec<HeaderParam>, String> {
    let schema =
        tool.input_schema.parse().map_err(|error| format!("its input schema can't be read: {error}"))?;
    headers::header_params(&schema).map_err(|error| error.to_string())
}
