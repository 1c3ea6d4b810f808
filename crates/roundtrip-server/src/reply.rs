//! The way back: a result, or an error, as the bytes of one JSON-RPC response.

use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

use crate::{exchange::Reply, seal::Boundary, subscriptions::Subscriptions};
use bytes::Bytes;
use http::StatusCode;
use roundtrip_protocol::error::status_of;
use roundtrip_types::{Implementation, McpError, Meta, RawJson, RequestId, meta_keys};
use serde::Serialize;

/// What every request to a server needs, whichever layer serves it.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) identity: Identity,
    /// `None` on a low-level server that seals nothing.
    pub(crate) boundary: Option<Boundary>,
    pub(crate) subscriptions: Subscriptions,
    /// Whether the server declared that it sends log messages.
    pub(crate) logs: bool,
}

/// Who answers, rendered once: the `_meta` member that each result carries.
#[derive(Debug)]
pub(crate) struct Identity {
    info: RawJson,
    meta: String,
}

impl Identity {
    pub(crate) fn new(info: &Implementation) -> Self {
        let info = RawJson::from_serialize(info).expect("an implementation is plain JSON");
        let meta = format!(r#"{{"{}":{}}}"#, meta_keys::SERVER_INFO, info.get());
        Self { info, meta }
    }

    /// Adds the server's name to a handler's own `_meta`. What the handler wrote there stays.
    pub(crate) fn stamp(&self, meta: &mut Meta) {
        if !meta.contains_key(meta_keys::SERVER_INFO) {
            meta.insert(meta_keys::SERVER_INFO, self.info.clone());
        }
    }
}

/// The kinds of result, as `resultType` names them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResultType {
    Complete,
    InputRequired,
}

/// Writes the result of one request, in place: the envelope, then what the result itself has to say, then
/// `resultType` and the server's name.
#[derive(Debug)]
pub(crate) struct ResultWriter<'s> {
    body: Vec<u8>,
    identity: &'s Identity,
}

impl<'s> ResultWriter<'s> {
    pub(crate) fn new(id: &RequestId, identity: &'s Identity) -> Self {
        let mut body = Vec::with_capacity(512);
        body.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
        write_json(&mut body, id);
        body.extend_from_slice(br#","result":"#);
        Self { body, identity }
    }

    /// Writes a result. `meta` is the result's own `_meta`, if it has any.
    pub(crate) fn result<T: Serialize>(
        &mut self,
        kind: ResultType,
        result: &mut T,
        meta: impl FnOnce(&mut T) -> Option<&mut Meta>,
    ) {
        let stamped = meta(result).map(|meta| self.identity.stamp(meta)).is_some();
        write_json(&mut self.body, result);
        self.close(kind, stamped);
    }

    /// Writes the members that every result has behind an object that was just written.
    fn close(&mut self, kind: ResultType, stamped: bool) {
        let brace = self.body.pop();
        debug_assert_eq!(brace, Some(b'}'), "a result is an object");
        if self.body.last() != Some(&b'{') {
            self.body.push(b',');
        }
        self.body.extend_from_slice(match kind {
            ResultType::Complete => br#""resultType":"complete""#.as_slice(),
            ResultType::InputRequired => br#""resultType":"input_required""#,
        });
        if !stamped {
            self.body.extend_from_slice(br#","_meta":"#);
            self.body.extend_from_slice(self.identity.meta.as_bytes());
        }
        self.body.push(b'}');
    }

    /// Writes a complete result that was [rendered](rendered) before.
    pub(crate) fn rendered(&mut self, result: &[u8]) {
        self.body.extend_from_slice(result);
    }

    fn finish(mut self) -> Bytes {
        self.body.push(b'}');
        self.body.into()
    }
}

/// A complete result as bytes, for what is the same on every request.
pub(crate) fn rendered<T: Serialize>(result: &T, identity: &Identity) -> Bytes {
    let mut writer = ResultWriter { body: Vec::new(), identity };
    write_json(&mut writer.body, result);
    writer.close(ResultType::Complete, false);
    writer.body.into()
}

/// Turns a panic of a handler into an error of its call alone.
pub(crate) async fn guarded(answer: impl Future<Output = Result<(), McpError>>) -> Result<(), McpError> {
    let mut answer = pin!(answer);
    let caught = poll_fn(|context| {
        // Safe to assert, since what the handler was about to write is thrown away.
        match catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        }
    });
    caught.await.unwrap_or_else(|_| {
        // The panic hook has told the log where and why; the peer learns nothing but the failure.
        tracing::error!("a handler panicked; its call failed, others go on");
        Err(McpError::internal_error())
    })
}

/// The response to a request: the result that was written, or the error in place of it.
pub(crate) fn reply(id: &RequestId, result: ResultWriter<'_>, answered: Result<(), McpError>) -> Reply {
    match answered {
        Ok(()) => Reply::new(StatusCode::OK, result.finish()),
        Err(error) => error_reply(id, &error),
    }
}

fn error_reply(id: &RequestId, error: &McpError) -> Reply {
    #[derive(Serialize)]
    struct Response<'a> {
        jsonrpc: &'static str,
        id: &'a RequestId,
        error: &'a McpError,
    }
    let mut body = Vec::with_capacity(256);
    write_json(&mut body, &Response { jsonrpc: "2.0", id, error });
    Reply::new(status_of(error.code), body)
}

/// A notification as the bytes of one message.
pub(crate) fn notification<T: Serialize>(method: &str, params: &T) -> Bytes {
    #[derive(Serialize)]
    struct Notification<'a, T> {
        jsonrpc: &'static str,
        method: &'a str,
        params: &'a T,
    }
    let mut body = Vec::with_capacity(256);
    write_json(&mut body, &Notification { jsonrpc: "2.0", method, params });
    body.into()
}

fn write_json<T: Serialize + ?Sized>(body: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(body, value)
        .expect("the model of the protocol is plain JSON, and memory takes any bytes");
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use roundtrip_types::CallToolResult;
    use serde_json::json;

    use super::*;

    fn identity() -> Identity {
        Identity::new(&Implementation::new("Test", "1"))
    }

    fn check(mut result: CallToolResult, want: &Expect) {
        let identity = identity();
        let id = RequestId::Integer(1);
        let mut to = ResultWriter::new(&id, &identity);
        to.result(ResultType::Complete, &mut result, |result| result.meta.as_mut());
        want.assert_eq(&String::from_utf8(reply(&id, to, Ok(())).body.into()).unwrap());
    }

    #[test]
    fn each_result_names_its_type_and_the_server() {
        check(
            CallToolResult::text("hi"),
            &expect![[
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}],"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"Test","version":"1"}}}}"#
            ]],
        );
    }

    #[test]
    fn a_handlers_own_meta_stays() {
        let mut result = CallToolResult::text("hi");
        result.meta = Some(serde_json::from_value(json!({ "mine": 1 })).unwrap());
        check(
            result,
            &expect![[
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hi"}],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"Test","version":"1"},"mine":1},"resultType":"complete"}}"#
            ]],
        );
    }

    #[tokio::test]
    async fn a_panic_fails_the_call_and_says_nothing() {
        let identity = identity();
        let id = RequestId::String("7".to_owned());
        let answered = guarded(async { panic!("secret") }).await;
        let reply = reply(&id, ResultWriter::new(&id, &identity), answered);
        expect![[r#"{"jsonrpc":"2.0","id":"7","error":{"code":-32603,"message":"internal error"}}"#]]
            .assert_eq(&String::from_utf8(reply.body.into()).unwrap());
    }
}
