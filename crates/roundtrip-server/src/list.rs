//! Lists, rendered once into pages of bytes: `tools/list` and its kin.

use bytes::Bytes;
use roundtrip_types::McpError;
use serde::Serialize;

use crate::reply::{Identity, rendered};

/// The pages of one list. There is always a first one, if an empty one.
#[derive(Debug)]
pub(crate) struct Pages(Vec<Bytes>);

impl Pages {
    /// Renders `items`, `size` to a page; `page` makes a result of the items and the next cursor.
    pub(crate) fn render<T: Clone, R: Serialize>(
        items: &[T],
        size: usize,
        identity: &Identity,
        page: impl Fn(Vec<T>, Option<String>) -> R,
    ) -> Self {
        let size = size.max(1);
        let count = items.len().div_ceil(size).max(1);
        let pages = (0..count).map(|number| {
            let items = items.iter().skip(number * size).take(size).cloned().collect();
            let next = (number + 1 < count).then(|| cursor(number + 1));
            rendered(&page(items, next), identity)
        });
        Self(pages.collect())
    }

    /// The page at a cursor; the first one without.
    pub(crate) fn at(&self, at: Option<&str>) -> Result<&Bytes, McpError> {
        let number = match at {
            None => Some(0),
            Some(at) => at
                .strip_prefix(CURSOR)
                .and_then(|number| number.parse().ok())
                .filter(|&number| number > 0 && cursor(number) == at),
        };
        number.and_then(|number| self.0.get(number)).ok_or_else(|| {
            McpError::invalid_params("the cursor is not one of this list; start again without")
        })
    }
}

/// Cursors are opaque to clients; the list behind them does not change while the server runs.
const CURSOR: &str = "page-";

fn cursor(number: usize) -> String {
    format!("{CURSOR}{number}")
}

#[cfg(test)]
mod tests {
    use roundtrip_types::{Implementation, ListPromptsResult, Prompt};

    use super::*;

    fn pages(count: usize, size: usize) -> Pages {
        let prompts: Vec<_> = (0..count).map(|n| Prompt::new(n.to_string())).collect();
        Pages::render(&prompts, size, &Identity::new(&Implementation::new("Test", "1")), |prompts, next| {
            let mut list = ListPromptsResult::new(prompts);
            list.next_cursor = next;
            list
        })
    }

    fn read(pages: &Pages, cursor: Option<&str>) -> ListPromptsResult {
        serde_json::from_slice(pages.at(cursor).unwrap()).unwrap()
    }

    #[test]
    fn following_the_cursors_visits_each_once() {
        for (count, size) in [(0, 10), (1, 10), (10, 10), (11, 10), (25, 10), (3, 1), (3, 0)] {
            let pages = pages(count, size);
            let mut names = Vec::new();
            let mut cursor = None;
            loop {
                let page = read(&pages, cursor.as_deref());
                assert!(page.prompts.len() <= size.max(1));
                names.extend(page.prompts.into_iter().map(|prompt| prompt.name));
                cursor = page.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(names, (0..count).map(|n| n.to_string()).collect::<Vec<_>>(), "{count} by {size}");
        }
    }

    #[test]
    fn a_foreign_cursor_is_refused() {
        for cursor in ["", "page-0", "page-3", "page-99999999999999999999", "x"] {
            assert_eq!(pages(25, 10).at(Some(cursor)).unwrap_err().code.0, -32602, "{cursor:?}");
        }
    }
}
