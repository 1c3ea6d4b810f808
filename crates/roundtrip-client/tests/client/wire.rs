//! A server in memory: it records what the client sends and plays bytes back.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use http::StatusCode;
use roundtrip_client::{BoxFuture, Client, ElicitResult, Messages, Outgoing, Transport, TransportError};
use serde_json::{Value, json};

/// One request as the server got it.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) outgoing: Outgoing,
    pub(crate) text: String,
    pub(crate) json: Value,
}

impl Sent {
    pub(crate) fn id(&self) -> &Value {
        &self.json["id"]
    }

    pub(crate) fn params(&self) -> &Value {
        &self.json["params"]
    }

    pub(crate) fn meta(&self) -> &Value {
        &self.json["params"]["_meta"]
    }

    pub(crate) fn headers(&self) -> Vec<(&str, &str)> {
        let text = |value| std::str::from_utf8(value).unwrap();
        self.outgoing
            .header_params
            .iter()
            .map(|(name, value)| (name.as_str(), text(value.as_bytes())))
            .collect()
    }
}

/// What the server does next on the stream of one request.
pub(crate) enum Step {
    Play(Bytes),
    Wait(Duration),
    Fail(TransportError),
    Hang,
}

/// How the server answers one request.
pub(crate) struct Reply {
    pub(crate) steps: VecDeque<Step>,
    pub(crate) status: Option<StatusCode>,
    /// Refuses the request before there is a stream.
    pub(crate) refusal: Option<TransportError>,
}

impl Reply {
    pub(crate) fn steps(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().collect(), status: None, refusal: None }
    }

    pub(crate) fn bytes(messages: impl IntoIterator<Item = impl Into<Bytes>>) -> Self {
        Self::steps(messages.into_iter().map(|message| Step::Play(message.into())))
    }

    pub(crate) fn refused(error: TransportError) -> Self {
        Self { steps: VecDeque::new(), status: None, refusal: Some(error) }
    }

    pub(crate) fn status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Puts steps before those that are there.
    pub(crate) fn after(mut self, steps: impl IntoIterator<Item = Step>) -> Self {
        let mut all: VecDeque<Step> = steps.into_iter().collect();
        all.append(&mut self.steps);
        self.steps = all;
        self
    }
}

/// The response with this result, as one message.
pub(crate) fn result(sent: &Sent, result: &Value) -> Reply {
    raw_result(sent, &result.to_string())
}

/// The response whose result is this text.
pub(crate) fn raw_result(sent: &Sent, result: &str) -> Reply {
    Reply::bytes([format!(r#"{{"jsonrpc":"2.0","id":{},"result":{result}}}"#, sent.id())])
}

/// The response with this error, as one message.
pub(crate) fn error(sent: &Sent, error: &Value) -> Reply {
    Reply::bytes([json!({ "jsonrpc": "2.0", "id": sent.id(), "error": error }).to_string()])
}

/// One notification.
pub(crate) fn notification(method: &str, params: &Value) -> Step {
    Step::Play(json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string().into())
}

/// A tool's result with one text.
pub(crate) fn done(text: &str) -> Value {
    json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] })
}

/// An `InputRequiredResult`.
pub(crate) fn input_required(questions: &Value, state: &str) -> Value {
    json!({ "resultType": "input_required", "inputRequests": questions, "requestState": state })
}

/// A question with one boolean, `ok`.
pub(crate) fn yes_or_no() -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "mode": "form",
            "message": "?",
            "requestedSchema": {
                "type": "object",
                "properties": { "ok": { "type": "boolean" } },
                "required": ["ok"],
            },
        },
    })
}

type Serving = dyn Fn(usize, &Sent) -> Reply + Send + Sync;

/// The server. A clone is the same server, so that a test can look at what was sent.
#[derive(Clone)]
pub(crate) struct Wire {
    state: Arc<State>,
}

struct State {
    serve: Box<Serving>,
    sent: Mutex<Vec<Sent>>,
    /// How many requests were dropped before their stream was over.
    cancelled: Mutex<usize>,
    /// How many streams were read to their end.
    ended: Mutex<usize>,
}

impl Wire {
    /// A server that answers the request with the given number, from 0, by a function.
    pub(crate) fn new(serve: impl Fn(usize, &Sent) -> Reply + Send + Sync + 'static) -> Self {
        let state = State {
            serve: Box::new(serve),
            sent: Mutex::default(),
            cancelled: Mutex::default(),
            ended: Mutex::default(),
        };
        Self { state: Arc::new(state) }
    }

    /// A server that answers with these results, one after the other, and the last for ever.
    pub(crate) fn results(results: impl IntoIterator<Item = Value>) -> Self {
        let results: Vec<Value> = results.into_iter().collect();
        Self::new(move |number, sent| result(sent, &results[number.min(results.len() - 1)]))
    }

    /// A client that answers no questions.
    pub(crate) fn client(&self) -> Client {
        Client::builder().connect_without_discover(self.clone()).unwrap()
    }

    /// A client that accepts every form with `{"ok": true}`.
    pub(crate) fn accepting(&self) -> Client {
        Client::builder()
            .on_elicitation(async |_question| ElicitResult::accept(json!({ "ok": true })))
            .connect_without_discover(self.clone())
            .unwrap()
    }

    pub(crate) fn sent(&self) -> Vec<Sent> {
        self.state.sent.lock().unwrap().clone()
    }

    pub(crate) fn methods(&self) -> Vec<String> {
        self.sent().iter().map(|sent| sent.outgoing.method.to_string()).collect()
    }

    pub(crate) fn cancelled(&self) -> usize {
        *self.state.cancelled.lock().unwrap()
    }

    pub(crate) fn ended(&self) -> usize {
        *self.state.ended.lock().unwrap()
    }
}

impl Transport for Wire {
    fn exchange(&self, outgoing: Outgoing) -> BoxFuture<'_, Result<Box<dyn Messages>, TransportError>> {
        Box::pin(async move {
            let text = String::from_utf8(outgoing.body.to_vec()).unwrap();
            let json = serde_json::from_str(&text).unwrap();
            let sent = Sent { outgoing, text, json };
            let number = {
                let mut all = self.state.sent.lock().unwrap();
                all.push(sent.clone());
                all.len() - 1
            };
            let reply = (self.state.serve)(number, &sent);
            if let Some(error) = reply.refusal {
                return Err(error);
            }
            let messages: Box<dyn Messages> =
                Box::new(Playing { steps: reply.steps, status: reply.status, state: self.state.clone() });
            Ok(messages)
        })
    }
}

struct Playing {
    steps: VecDeque<Step>,
    status: Option<StatusCode>,
    state: Arc<State>,
}

impl Messages for Playing {
    fn next(&mut self) -> BoxFuture<'_, Result<Option<Bytes>, TransportError>> {
        Box::pin(async move {
            loop {
                match self.steps.front_mut() {
                    None => {
                        *self.state.ended.lock().unwrap() += 1;
                        return Ok(None);
                    }
                    Some(Step::Hang) => std::future::pending().await,
                    Some(Step::Wait(duration)) => {
                        let until = *duration;
                        tokio::time::sleep(until).await;
                        self.steps.pop_front();
                    }
                    Some(Step::Play(_) | Step::Fail(_)) => match self.steps.pop_front() {
                        Some(Step::Play(bytes)) => return Ok(Some(bytes)),
                        Some(Step::Fail(error)) => return Err(error),
                        _ => unreachable!("the front was one of the two"),
                    },
                }
            }
        })
    }

    fn status(&self) -> Option<StatusCode> {
        self.status
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        if !self.steps.is_empty() {
            *self.state.cancelled.lock().unwrap() += 1;
        }
    }
}
