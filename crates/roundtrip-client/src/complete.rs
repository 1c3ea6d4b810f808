//! Completion of arguments: `completion/complete`.

use std::{collections::BTreeMap, future::IntoFuture, time::Duration};

use roundtrip_types::{CompleteResult, CompletionReference};

use crate::{
    BoxFuture, Client, Result,
    clock::bounded,
    request::Request,
    wire::{Argument, Context, Params},
};

/// A completion that is about to be asked for.
///
/// ```
/// use roundtrip_client::CompletionReference;
///
/// # async fn example(client: roundtrip_client::Client) -> roundtrip_client::Result<()> {
/// let prompt = CompletionReference::prompt("trip");
/// let cities = client.complete(prompt, "city", "Par").given("country", "France").await?;
/// assert!(cities.completion.values.len() <= 100);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "nothing is asked for until it is awaited"]
pub struct Completing {
    client: Client,
    reference: CompletionReference,
    name: String,
    value: String,
    given: BTreeMap<String, String>,
    deadline: Option<Duration>,
}

impl Completing {
    pub(crate) fn new(client: &Client, reference: CompletionReference, name: String, value: String) -> Self {
        Self { client: client.clone(), reference, name, value, given: BTreeMap::new(), deadline: None }
    }

    /// Tells the server the value of another argument, which may narrow what it proposes.
    pub fn given(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.given.insert(name.into(), value.into());
        self
    }

    /// The time for the completion. None by default.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }
}

impl IntoFuture for Completing {
    type Output = Result<CompleteResult>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let inner = &self.client.inner;
            let options = inner.options();
            let params = Params {
                reference: Some(&self.reference),
                argument: Some(Argument { name: &self.name, value: &self.value }),
                context: (!self.given.is_empty()).then_some(Context { arguments: &self.given }),
                ..Params::default()
            };
            let request = Request::new("completion/complete", params);
            let ask = async { inner.request(&request, &options).await?.complete() };
            bounded(&*inner.clock, self.deadline, || "`completion/complete`".to_owned(), ask).await
        })
    }
}
