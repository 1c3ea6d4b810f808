//! Answers to the questions that a server asks in the middle of a call.

use std::{collections::BTreeMap, future::Future, panic::AssertUnwindSafe};

use futures_util::{FutureExt, future::try_join_all};
use roundtrip_types::{
    ClientCapabilities, CreateMessageRequestParams, CreateMessageResult, ElicitRequestFormParams,
    ElicitRequestParams, ElicitRequestUrlParams, ElicitResult, ElicitationCapability, InputRequest,
    ListRootsResult, RawJson, Root, RootsCapability, SamplingCapability,
};

use crate::{
    BoxFuture, Error,
    error::{AnswerFault, BoxError},
    fit,
};

/// The answer to one question of a round, an entry of `inputResponses`.
///
/// Every result that answers a question converts into it, so it is seldom written out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// Answers `elicitation/create`.
    Elicitation(ElicitResult),
    /// Answers `sampling/createMessage`.
    Sampling(CreateMessageResult),
    /// Answers `roots/list`.
    Roots(ListRootsResult),
}

impl From<ElicitResult> for Answer {
    fn from(result: ElicitResult) -> Self {
        Self::Elicitation(result)
    }
}

impl From<CreateMessageResult> for Answer {
    fn from(result: CreateMessageResult) -> Self {
        Self::Sampling(result)
    }
}

impl From<ListRootsResult> for Answer {
    fn from(result: ListRootsResult) -> Self {
        Self::Roots(result)
    }
}

/// What a function that answers questions may return: the answer itself, or a `Result` of it with any error.
///
/// This trait is sealed: it is implemented for `ElicitResult`, `CreateMessageResult`, `ListRootsResult`, `Vec<Root>`,
/// and a `Result` of any of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` doesn't answer the question",
    label = "this function has to return `{A}`, or a `Result` of it",
    note = "an error has to convert into `Box<dyn Error + Send + Sync>`"
)]
pub trait IntoAnswer<A>: sealed::Sealed<A> {
    /// The answer, or why there is none.
    #[doc(hidden)]
    fn into_answer(self) -> Result<A, BoxError>;
}

mod sealed {
    pub trait Sealed<A> {}
}

macro_rules! answers_itself {
    ($($result:ty),*) => {$(
        impl sealed::Sealed<$result> for $result {}

        impl IntoAnswer<$result> for $result {
            fn into_answer(self) -> Result<$result, BoxError> {
                Ok(self)
            }
        }
    )*};
}

answers_itself!(ElicitResult, CreateMessageResult, ListRootsResult);

impl sealed::Sealed<ListRootsResult> for Vec<Root> {}

impl IntoAnswer<ListRootsResult> for Vec<Root> {
    fn into_answer(self) -> Result<ListRootsResult, BoxError> {
        Ok(ListRootsResult::new(self))
    }
}

impl<A, T: IntoAnswer<A>, E: Into<BoxError>> sealed::Sealed<A> for Result<T, E> {}

impl<A, T: IntoAnswer<A>, E: Into<BoxError>> IntoAnswer<A> for Result<T, E> {
    fn into_answer(self) -> Result<A, BoxError> {
        self.map_err(Into::into)?.into_answer()
    }
}

/// A function that answers one kind of question, with its types erased.
type Answering<P, A> = Box<dyn Fn(P) -> BoxFuture<'static, Result<A, BoxError>> + Send + Sync>;

/// Erases the types of a function that answers questions.
pub(crate) fn erase<P, A, F, Fut>(answer: F) -> Answering<P, A>
where
    P: Send + 'static,
    A: 'static,
    F: Fn(P) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: IntoAnswer<A>> + Send + 'static,
{
    Box::new(move |params| {
        let answer = answer(params);
        Box::pin(async move { answer.await.into_answer() })
    })
}

/// The functions that answer questions, by kind.
#[derive(Default)]
pub(crate) struct Answers {
    pub(crate) form: Option<Answering<ElicitRequestFormParams, ElicitResult>>,
    pub(crate) url: Option<Answering<ElicitRequestUrlParams, ElicitResult>>,
    pub(crate) sampling:
        Option<(SamplingCapability, Answering<CreateMessageRequestParams, CreateMessageResult>)>,
    pub(crate) roots: Option<Answering<(), ListRootsResult>>,
}

impl Answers {
    /// Adds the capabilities that these functions stand for.
    pub(crate) fn declare(&self, capabilities: &mut ClientCapabilities) {
        if self.form.is_some() || self.url.is_some() {
            // An empty object stands for forms, and must not lose them to another mode.
            let forms = self.form.is_some() || capabilities.supports_form();
            let elicitation = capabilities.elicitation.get_or_insert_with(ElicitationCapability::default);
            if forms {
                elicitation.form.get_or_insert_default();
            }
            if self.url.is_some() {
                elicitation.url.get_or_insert_default();
            }
        }
        if let Some((capability, _)) = &self.sampling {
            capabilities.sampling = Some(capability.clone());
        }
        if self.roots.is_some() {
            capabilities.roots.get_or_insert_with(RootsCapability::default);
        }
    }

    /// Answers the given questions, all at the same time. The first that fails cancels the others.
    pub(crate) async fn answer<'q>(
        &self,
        questions: impl Iterator<Item = (&'q String, &'q InputRequest)>,
    ) -> Result<BTreeMap<String, RawJson>, Error> {
        let answers = questions.map(async |(key, question)| {
            let answer = self.answer_one(key, question).await?;
            Ok::<_, Error>((key.clone(), fit::check(key, question, &answer)?))
        });
        Ok(try_join_all(answers).await?.into_iter().collect())
    }

    async fn answer_one(&self, key: &str, question: &InputRequest) -> Result<Answer, Error> {
        match question {
            InputRequest::Elicit(ElicitRequestParams::Form(form)) => {
                ask(key, question, self.form.as_ref(), form.clone()).await
            }
            InputRequest::Elicit(ElicitRequestParams::Url(url)) => {
                ask(key, question, self.url.as_ref(), url.clone()).await
            }
            InputRequest::CreateMessage(message) => {
                ask(key, question, self.sampling.as_ref().map(|(_, answer)| answer), message.clone()).await
            }
            InputRequest::ListRoots => ask(key, question, self.roots.as_ref(), ()).await,
            _ => Err(Error::answer(key, AnswerFault::NotDeclared { kind: fit::kind(question) })),
        }
    }
}

/// Calls one answering function. Its panic stays in here and fails this call alone.
async fn ask<P, A: Into<Answer>>(
    key: &str,
    question: &InputRequest,
    answering: Option<&Answering<P, A>>,
    params: P,
) -> Result<Answer, Error> {
    let Some(answering) = answering else {
        return Err(Error::answer(key, AnswerFault::ByHand { kind: fit::kind(question) }));
    };
    // A function may panic before it returns its future, too.
    let answer = AssertUnwindSafe(async { answering(params).await }).catch_unwind().await;
    match answer {
        Ok(Ok(answer)) => Ok(answer.into()),
        Ok(Err(error)) => Err(Error::answer(key, AnswerFault::Failed(error))),
        Err(_panic) => Err(Error::answer(key, AnswerFault::Panicked)),
    }
}
