//! The lists of a server, page by page or whole: `tools/list`, `prompts/list`, `resources/list` and
//! `resources/templates/list`.

use std::{collections::HashSet, fmt, future::IntoFuture, marker::PhantomData, time::Duration};

use roundtrip_types::{
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, Prompt, Resource,
    ResourceTemplate, Tool,
};
use serde::de::DeserializeOwned;

use crate::{
    BoxFuture, Client, Error, Result,
    client::Inner,
    clock::bounded,
    error::{Kind, PagesFault},
    request::{Options, Request},
    wire::Params,
};

/// How many pages a whole list may have unless told otherwise.
const MOST_PAGES: usize = 1_000;

/// The results that hold one page of a list.
///
/// This trait is sealed: it is implemented for the results of the four methods that list.
pub trait Page: DeserializeOwned + Send + 'static + sealed::Sealed<Self::Item> {
    /// What is listed.
    type Item: Send + 'static;
    /// The JSON-RPC method that has this result.
    const METHOD: &'static str;
}

mod sealed {
    use super::Tool;

    pub trait Sealed<Item> {
        fn tools(&mut self) -> Option<&mut Vec<Tool>> {
            None
        }

        fn into_parts(self) -> (Vec<Item>, Option<String>);
    }
}

impl sealed::Sealed<Tool> for ListToolsResult {
    fn tools(&mut self) -> Option<&mut Vec<Tool>> {
        Some(&mut self.tools)
    }

    fn into_parts(self) -> (Vec<Tool>, Option<String>) {
        (self.tools, self.next_cursor)
    }
}

impl Page for ListToolsResult {
    type Item = Tool;
    const METHOD: &'static str = "tools/list";
}

impl sealed::Sealed<Prompt> for ListPromptsResult {
    fn into_parts(self) -> (Vec<Prompt>, Option<String>) {
        (self.prompts, self.next_cursor)
    }
}

impl Page for ListPromptsResult {
    type Item = Prompt;
    const METHOD: &'static str = "prompts/list";
}

impl sealed::Sealed<Resource> for ListResourcesResult {
    fn into_parts(self) -> (Vec<Resource>, Option<String>) {
        (self.resources, self.next_cursor)
    }
}

impl Page for ListResourcesResult {
    type Item = Resource;
    const METHOD: &'static str = "resources/list";
}

impl sealed::Sealed<ResourceTemplate> for ListResourceTemplatesResult {
    fn into_parts(self) -> (Vec<ResourceTemplate>, Option<String>) {
        (self.resource_templates, self.next_cursor)
    }
}

impl Page for ListResourceTemplatesResult {
    type Item = ResourceTemplate;
    const METHOD: &'static str = "resources/templates/list";
}

/// A list that is about to be read. `.await` reads one page, the first unless there is a
/// [`cursor`](Self::cursor); [`all`](Self::all) reads the whole list.
///
/// ```
/// # async fn example(client: roundtrip_client::Client) -> roundtrip_client::Result<()> {
/// let first = client.list_tools().await?;
/// if let Some(cursor) = first.next_cursor {
///     let second = client.list_tools().cursor(cursor).await?;
///     # drop(second);
/// }
/// let tools = client.list_tools().all().await?;
/// # drop(tools);
/// # Ok(())
/// # }
/// ```
#[must_use = "a list isn't read until it is awaited"]
pub struct Listing<P> {
    client: Client,
    cursor: Option<String>,
    deadline: Option<Duration>,
    page: PhantomData<fn() -> P>,
}

impl<P: Page> Listing<P> {
    pub(crate) fn new(client: &Client) -> Self {
        Self { client: client.clone(), cursor: None, deadline: None, page: PhantomData }
    }

    /// Begins with the page that `cursor` stands for. A cursor is the server's; the empty string is one as well.
    pub fn cursor(mut self, cursor: impl Into<String>) -> Self {
        self.cursor = Some(cursor.into());
        self
    }

    /// The time for all that is read. None by default.
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Reads page after page to the end of the list, and returns what they hold.
    pub fn all(self) -> WholeList<P> {
        WholeList { listing: self, most_pages: MOST_PAGES }
    }
}

impl<P: Page> IntoFuture for Listing<P> {
    type Output = Result<P>;
    type IntoFuture = BoxFuture<'static, Result<P>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let inner = &self.client.inner;
            let options = inner.options();
            let page = inner.page(self.cursor.as_deref(), &options);
            bounded(&*inner.clock, self.deadline, || format!("`{}`", P::METHOD), page).await
        })
    }
}

/// A list that is about to be read whole, following the server's cursors; made by [`Listing::all`].
///
/// # Errors
///
/// Beside those of each page: [`is_pages`](Error::is_pages) when the server gives a cursor that it gave before, since
/// such a list never ends, and when there are more pages than [`max_pages`](Self::max_pages).
#[must_use = "a list isn't read until it is awaited"]
pub struct WholeList<P> {
    listing: Listing<P>,
    most_pages: usize,
}

impl<P: Page> WholeList<P> {
    /// How many pages to read at most. 1,000 by default.
    pub fn max_pages(mut self, pages: usize) -> Self {
        self.most_pages = pages;
        self
    }
}

impl<P: Page> IntoFuture for WholeList<P> {
    type Output = Result<Vec<P::Item>>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let Listing { client, cursor, deadline, .. } = self.listing;
            let options = client.inner.options();
            let list = client.inner.pages::<P>(cursor, self.most_pages, &options);
            bounded(&*client.inner.clock, deadline, || format!("`{}`", P::METHOD), list).await
        })
    }
}

impl Inner {
    async fn page<P: Page>(&self, cursor: Option<&str>, options: &Options) -> Result<P> {
        let params = Params { cursor, ..Params::default() };
        let mut page: P = self.request(&Request::new(P::METHOD, params), options).await?.complete()?;
        if let Some(tools) = page.tools() {
            self.schemas.learn(tools);
        }
        Ok(page)
    }

    async fn pages<P: Page>(
        &self,
        mut cursor: Option<String>,
        most_pages: usize,
        options: &Options,
    ) -> Result<Vec<P::Item>> {
        let fault = |fault| Error::new(Kind::Pages { method: P::METHOD, fault });
        let mut items = Vec::new();
        let mut seen: HashSet<String> = cursor.iter().cloned().collect();
        for _ in 0..most_pages {
            let (page, next) = self.page::<P>(cursor.as_deref(), options).await?.into_parts();
            items.extend(page);
            let Some(next) = next else { return Ok(items) };
            if !seen.insert(next.clone()) {
                return Err(fault(PagesFault::Repeated { cursor: next }));
            }
            cursor = Some(next);
        }
        Err(fault(PagesFault::TooMany { limit: most_pages }))
    }

    /// Lists the tools anew, for what their schemas say about headers.
    pub(crate) async fn relist(&self, timeout: Option<Duration>) -> Result<()> {
        let options = Options { timeout, ..Options::default() };
        self.pages::<ListToolsResult>(None, MOST_PAGES, &options).await.map(drop)
    }
}

impl<P: Page> fmt::Debug for Listing<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listing")
            .field("method", &P::METHOD)
            .field("cursor", &self.cursor)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl<P: Page> fmt::Debug for WholeList<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WholeList")
            .field("listing", &self.listing)
            .field("most_pages", &self.most_pages)
            .finish()
    }
}
