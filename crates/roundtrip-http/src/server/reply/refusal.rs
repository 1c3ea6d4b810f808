//! What HTTP itself has to say no to.

use http::{HeaderMap, Response, StatusCode};
use roundtrip_protocol::inbound::{Inbound, Wire, classify};
use roundtrip_server::exchange::Reply;
use roundtrip_types::{McpError, RequestId};
use serde_json::json;

use super::{ResponseBody, whole};

/// A request that isn't served because of how it was sent, whatever it says.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct Refusal {
    status: StatusCode,
    message: &'static str,
}

impl Refusal {
    pub(in crate::server) const FORBIDDEN_HOST: Self = Self {
        status: StatusCode::FORBIDDEN,
        message: "this server doesn't answer for the host in the request's Host header",
    };
    pub(in crate::server) const FORBIDDEN_ORIGIN: Self = Self {
        status: StatusCode::FORBIDDEN,
        message: "this server doesn't answer web pages of the origin in the request's Origin header",
    };
    pub(in crate::server) const NOT_FOUND: Self =
        Self { status: StatusCode::NOT_FOUND, message: "there is no MCP endpoint at this path" };
    pub(in crate::server) const METHOD_NOT_ALLOWED: Self =
        Self { status: StatusCode::METHOD_NOT_ALLOWED, message: "messages are sent with POST" };
    pub(in crate::server) const NOT_ACCEPTABLE: Self = Self {
        status: StatusCode::NOT_ACCEPTABLE,
        message: "the Accept header has to allow application/json and text/event-stream",
    };
    pub(in crate::server) const PAYLOAD_TOO_LARGE: Self = Self {
        status: StatusCode::PAYLOAD_TOO_LARGE,
        message: "the body is larger than this server's limit",
    };
    pub(in crate::server) const UNSUPPORTED_MEDIA_TYPE: Self = Self {
        status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
        message: "the Content-Type header has to be application/json, in UTF-8",
    };
    pub(in crate::server) const UNSUPPORTED_ENCODING: Self = Self {
        status: StatusCode::UNSUPPORTED_MEDIA_TYPE,
        message: "the body must be sent as it is, without a Content-Encoding",
    };
    pub(in crate::server) const REQUEST_TIMEOUT: Self =
        Self { status: StatusCode::REQUEST_TIMEOUT, message: "the body took too long to come" };
    pub(in crate::server) const BROKEN_BODY: Self =
        Self { status: StatusCode::BAD_REQUEST, message: "the body broke off" };

    /// A refusal of a request whose body was not read.
    pub(in crate::server) fn response(self) -> Response<ResponseBody> {
        self.answer(None)
    }

    /// A refusal that carries the id of the request in `body`, where that can be read.
    pub(in crate::server) fn response_to(
        self,
        headers: Option<&HeaderMap>,
        body: &[u8],
    ) -> Response<ResponseBody> {
        let id = match classify(headers.map_or(Wire::Pipe, Wire::Http), body) {
            Ok(Inbound::Request(request)) => Some(request.id),
            Ok(_) => None,
            Err(rejection) => rejection.id,
        };
        self.answer(id.as_ref())
    }

    /// A refusal in place of what the server would have replied.
    pub(super) fn reply(self, id: Option<&RequestId>) -> Reply {
        let id = id.map(|id| format!(r#""id":{},"#, json!(id))).unwrap_or_default();
        let error = json!(McpError::invalid_request(self.message));
        let body = format!(r#"{{"jsonrpc":"2.0",{id}"error":{error}}}"#);
        Reply::new(self.status, body)
    }

    fn answer(self, id: Option<&RequestId>) -> Response<ResponseBody> {
        let reply = self.reply(id);
        whole(reply.status, reply.body)
    }
}
