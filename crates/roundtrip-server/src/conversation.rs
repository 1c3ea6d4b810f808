//! Whether a conversation for `sampling/createMessage` holds together: each call of a tool is followed by its result.

use std::collections::BTreeSet;

use roundtrip_types::{Role, SamplingBlock, SamplingMessage};

/// What the protocol forbids in a conversation, if it is there.
///
/// After a message of the assistant that calls tools comes one of the user that holds the result of each call, and
/// nothing else; and results are nowhere else.
pub(crate) fn flaw(messages: &[SamplingMessage]) -> Option<String> {
    let mut called = BTreeSet::new();
    for (place, message) in messages.iter().enumerate() {
        let blocks = message.content.blocks();
        let results: BTreeSet<_> = blocks.iter().filter_map(answers).collect();
        if results != called {
            let problem = "does not hold the results of just the tools that the message before it calls";
            return Some(format!("message {place} of the conversation {problem}"));
        }
        if !results.is_empty() && (message.role != Role::User || blocks.iter().any(|b| answers(b).is_none()))
        {
            return Some(format!(
                "message {place} of the conversation mixes results of tools with something else"
            ));
        }
        called = blocks.iter().filter_map(calls).collect();
        if !called.is_empty() && message.role != Role::Assistant {
            return Some(format!(
                "message {place} of the conversation calls a tool, which only the assistant does"
            ));
        }
    }
    (!called.is_empty())
        .then(|| "the conversation ends before the results of the tools that it calls".to_owned())
}

/// The id of the call, where the block is one.
fn calls(block: &SamplingBlock) -> Option<&str> {
    match block {
        SamplingBlock::ToolUse(call) => Some(&call.id),
        _ => None,
    }
}

/// The id of the call whose result the block is.
fn answers(block: &SamplingBlock) -> Option<&str> {
    match block {
        SamplingBlock::ToolResult(result) => Some(&result.tool_use_id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use roundtrip_types::{ToolResultContent, ToolUseContent};
    use serde_json::json;

    use super::*;

    fn call(id: &str) -> SamplingBlock {
        ToolUseContent::new(id, "weather", json!({})).into()
    }

    fn result(id: &str) -> SamplingBlock {
        ToolResultContent::new(id, []).into()
    }

    fn text() -> SamplingBlock {
        "Hm.".into()
    }

    fn user(blocks: Vec<SamplingBlock>) -> SamplingMessage {
        SamplingMessage::user(blocks)
    }

    fn assistant(blocks: Vec<SamplingBlock>) -> SamplingMessage {
        SamplingMessage::assistant(blocks)
    }

    #[test]
    fn a_conversation_that_holds_together_has_no_flaw() {
        for messages in [
            vec![],
            vec![user(vec![text()])],
            vec![user(vec![text()]), assistant(vec![text()]), user(vec![text()])],
            vec![assistant(vec![text(), call("1")]), user(vec![result("1")]), assistant(vec![text()])],
            vec![assistant(vec![call("1"), call("2")]), user(vec![result("2"), result("1")])],
            vec![
                assistant(vec![call("1")]),
                user(vec![result("1")]),
                assistant(vec![call("2")]),
                user(vec![result("2")]),
            ],
        ] {
            assert_eq!(flaw(&messages), None, "{messages:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let just = "does not hold the results of just the tools that the message before it calls";
        for (messages, want) in [
            (
                vec![assistant(vec![call("1")]), user(vec![text()])],
                format!("message 1 of the conversation {just}"),
            ),
            (
                vec![assistant(vec![call("1")]), user(vec![result("2")])],
                format!("message 1 of the conversation {just}"),
            ),
            (
                vec![assistant(vec![call("1"), call("2")]), user(vec![result("1")])],
                format!("message 1 of the conversation {just}"),
            ),
            (vec![user(vec![result("1")])], format!("message 0 of the conversation {just}")),
            (
                vec![assistant(vec![call("1")]), user(vec![result("1"), text()])],
                "message 1 of the conversation mixes results of tools with something else".to_owned(),
            ),
            (
                vec![assistant(vec![call("1")]), assistant(vec![result("1")])],
                "message 1 of the conversation mixes results of tools with something else".to_owned(),
            ),
            (
                vec![user(vec![call("1")]), user(vec![result("1")])],
                "message 0 of the conversation calls a tool, which only the assistant does".to_owned(),
            ),
            (
                vec![assistant(vec![call("1")])],
                "the conversation ends before the results of the tools that it calls".to_owned(),
            ),
        ] {
            assert_eq!(flaw(&messages), Some(want), "{messages:?}");
        }
    }
}
