//! The loop that answers a server's questions until the call has its result.
//!
//! All that belongs to a call lives in the call's own future: two calls of one client, of the same tool even, share
//! nothing but the transport and the counter of ids. Dropping the future drops what it waits for.

use std::{
    cmp::min,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use roundtrip_types::{ErrorCode, InputRequest, InputRequiredResult, Outcome, RequestId};

use crate::{
    Asking, Error, PendingCall, Result, Round,
    client::Inner,
    error::{AnswerFault, Kind},
    fit,
    pending::{Asked, Target},
    request::{Options, Request, Response},
    wire::Params,
};

/// The pause before a retry that has nothing to answer, and how long it may grow.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// One round, as the function given to `on_round` sees it: what the server asks before the call can go on.
#[derive(Clone, Copy)]
pub struct RoundInfo<'a> {
    number: u32,
    asked: &'a InputRequiredResult,
}

impl<'a> RoundInfo<'a> {
    /// Which round of this drive it is, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The questions of this round, by the server's keys. None when the server only wants the call again.
    pub fn questions(&self) -> impl Iterator<Item = (&'a str, &'a InputRequest)> {
        self.asked.input_requests.iter().flatten().map(|(key, question)| (key.as_str(), question))
    }

    /// How many bytes of state the server gave to be sent back; `None` when it gave none. What is in them is nobody's
    /// business but the server's.
    pub fn state_len(&self) -> Option<usize> {
        self.asked.request_state.as_ref().map(String::len)
    }
}

impl std::fmt::Debug for RoundInfo<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RoundInfo")
            .field("number", &self.number)
            .field("questions", &self.asked.input_requests)
            .field("state_len", &self.state_len())
            .finish()
    }
}

/// A function that watches the rounds of a call.
pub(crate) type Seeing = Arc<dyn Fn(RoundInfo<'_>) + Send + Sync>;

/// How far a loop may go, and who watches it.
#[derive(Clone)]
pub(crate) struct Limits {
    pub(crate) rounds: u32,
    pub(crate) on_round: Option<Seeing>,
}

impl Inner {
    /// Drives a call to its end, from its beginning or from the round in `asked`.
    pub(crate) async fn drive<R: Asking>(
        &self,
        target: &Target,
        mut asked: Option<Asked>,
        limits: &Limits,
        options: &Options,
    ) -> Result<R> {
        let mut rounds = 0;
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(asked) = &mut asked {
                if asked.questions.is_empty() {
                    self.clock.sleep(pause).await;
                    pause = min(pause * 2, LONGEST_PAUSE);
                } else {
                    pause = FIRST_PAUSE;
                    let answers = self.answers.answer(asked.open()).await?;
                    asked.answers.extend(answers);
                }
            }
            // The round is consumed here, so nothing of it can reach the one after.
            let (id, result) = match self.leg(target, asked.take(), options).await? {
                (_, Outcome::Complete(result)) => return Ok(result),
                (id, Outcome::InputRequired(result)) => (id, result),
            };
            rounds += 1;
            see(limits.on_round.as_ref(), RoundInfo { number: rounds, asked: &result })?;
            if rounds > limits.rounds {
                return Err(Error::new(Kind::Rounds { limit: limits.rounds, last: Box::new(result) }));
            }
            asked = Some(self.asked::<R>(id, result)?);
        }
    }

    /// Takes a call one leg further, by hand.
    pub(crate) async fn once<R: Asking>(
        &self,
        target: Target,
        asked: Option<Asked>,
        limits: &Limits,
        options: &Options,
    ) -> Result<Round<R>> {
        if let Some((key, _)) = asked.as_ref().and_then(|asked| asked.open().next()) {
            return Err(Error::answer(key, AnswerFault::Missing));
        }
        match self.leg(&target, asked, options).await? {
            (_, Outcome::Complete(result)) => Ok(Round::Complete(result)),
            (id, Outcome::InputRequired(result)) => {
                see(limits.on_round.as_ref(), RoundInfo { number: 1, asked: &result })?;
                Ok(Round::InputRequired(PendingCall::new(target, self.asked::<R>(id, result)?)))
            }
        }
    }

    /// Refuses a round with a question that this client can't be asked.
    fn asked<R: Asking>(&self, id: RequestId, result: InputRequiredResult) -> Result<Asked> {
        let asked = Asked::new(id, result);
        fit::askable(R::METHOD, &self.capabilities, &asked.questions, self.most_questions)?;
        Ok(asked)
    }

    /// One request of a call and its result. When the server misses mirrored arguments, the tools are listed again
    /// and the request is sent once more with what they say now.
    async fn leg<R: Asking>(
        &self,
        target: &Target,
        asked: Option<Asked>,
        options: &Options,
    ) -> Result<(RequestId, Outcome<R>)> {
        let response = match self.send_leg::<R>(target, asked.as_ref(), options).await {
            Err(error) if R::MIRRORS && misses_header(&error) => {
                if let Err(fault) = self.relist(options.timeout).await {
                    tracing::warn!(%fault, "the server misses a header and its tools can't be listed");
                    return Err(error);
                }
                self.send_leg::<R>(target, asked.as_ref(), options).await?
            }
            other => other?,
        };
        let outcome = response.outcome()?;
        Ok((response.id, outcome))
    }

    async fn send_leg<R: Asking>(
        &self,
        target: &Target,
        asked: Option<&Asked>,
        options: &Options,
    ) -> Result<Response> {
        let mut params = Params { arguments: target.arguments.as_ref(), ..Params::default() };
        if R::NAMES_URI {
            params.uri = Some(&target.name);
        } else {
            params.name = Some(&target.name);
        }
        if let Some(asked) = asked {
            params.input_responses = Some(&asked.answers).filter(|answers| !answers.is_empty());
            params.request_state = asked.state.as_deref();
        }
        let mut request = Request::new(R::METHOD, params);
        request.not_id = asked.map(|asked| &asked.id);
        if R::MIRRORS {
            request.header_params = self.schemas.mirror(&target.name, target.arguments.as_ref())?;
        }
        self.request(&request, options).await
    }
}

fn misses_header(error: &Error) -> bool {
    error.rpc().is_some_and(|error| error.code == ErrorCode::HEADER_MISMATCH)
}

fn see(seeing: Option<&Seeing>, round: RoundInfo<'_>) -> Result<()> {
    let Some(seeing) = seeing else { return Ok(()) };
    catch_unwind(AssertUnwindSafe(|| seeing(round)))
        .map_err(|_panic| Error::new(Kind::Panic { callback: "on_round" }))
}
