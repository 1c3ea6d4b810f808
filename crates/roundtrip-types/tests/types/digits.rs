//! Long numbers keep their digits, wherever they stand.

use roundtrip_types::*;

use crate::{read, refused, survives};

/// Beyond 2^53, beyond `u64`, and a fraction with more digits than a double holds.
const NUMBERS: [&str; 4] = [
    "9007199254740993",
    "18446744073709551617",
    "-123456789012345678901234567890",
    "0.12345678901234567890123",
];

#[test]
fn in_whatever_the_specification_leaves_open() {
    for number in NUMBERS {
        let open = format!(r#"{{"n":{number}}}"#);
        survives::<Meta>(&open);
        survives::<JsonObject>(&open);
        survives::<ClientCapabilities>(&format!(
            r#"{{"experimental":{{"x":{open}}},"roots":{open},"sampling":{{"tools":{open},"context":{open},"n":{number}}},"elicitation":{{"form":{open},"url":{open},"n":{number}}},"extensions":{{"a.b/c":{open}}},"n":{number}}}"#
        ));
        survives::<ServerCapabilities>(&format!(
            r#"{{"logging":{open},"prompts":{open},"resources":{open},"tools":{{"listChanged":true,"n":{number}}},"n":{number}}}"#
        ));
        survives::<Tool>(&format!(
            r#"{{"name":"t","inputSchema":{{"type":"object","maximum":{number}}},"outputSchema":{open},"_meta":{open}}}"#
        ));
        survives::<CallToolRequestParams>(&format!(
            r#"{{"name":"t","arguments":{open},"inputResponses":{{"k":{number}}},"_meta":{open}}}"#
        ));
        survives::<CallToolResult>(&format!(
            r#"{{"content":[{{"type":"text","text":"x","_meta":{open}}},{{"type":"new","n":{number}}},{{"n":{number},"type":"new"}}],"structuredContent":{number},"_meta":{open}}}"#
        ));
        survives::<CreateMessageResult>(&format!(
            r#"{{"role":"assistant","content":[{{"type":"tool_use","id":"1","name":"t","input":{open},"_meta":{open}}},{{"type":"tool_result","toolUseId":"1","content":[{{"type":"new","n":{number}}}],"structuredContent":{number}}},{{"type":"new","n":{number}}}],"model":"m"}}"#
        ));
        survives::<InputRequest>(&format!(
            r#"{{"method":"elicitation/create","params":{{"mode":"form","message":"m","requestedSchema":{{"type":"object","n":{number}}}}}}}"#
        ));
        survives::<ElicitResult>(&format!(r#"{{"action":"accept","content":{open},"_meta":{open}}}"#));
        survives::<McpError>(&format!(r#"{{"code":1,"message":"m","data":{open}}}"#));
        survives::<LoggingMessageNotificationParams>(&format!(r#"{{"level":"info","data":{number}}}"#));
    }
}

#[test]
fn in_a_block_whose_type_comes_last() {
    for number in NUMBERS {
        let json = format!(r#"{{"input":{{"n":{number}}},"name":"t","id":"1","type":"tool_use"}}"#);
        let SamplingBlock::ToolUse(block) = read(&json) else { panic!("{json} is no tool_use") };
        assert_eq!(block.input.get(), format!(r#"{{"n":{number}}}"#));
    }
}

#[test]
fn in_the_meta_of_a_request() {
    for number in NUMBERS {
        survives::<RequestMeta>(&format!(
            r#"{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{"n":{number}}},"n":{number}}}"#
        ));
    }
}

#[test]
fn in_progress_tokens() {
    for token in
        ["0", r#""""#, r#""0""#, "-1", "9223372036854775807", "9223372036854775808", NUMBERS[1], NUMBERS[2]]
    {
        survives::<ProgressToken>(token);
    }
    assert_eq!(read::<ProgressToken>("9223372036854775807"), ProgressToken::Integer(i64::MAX));
    assert_eq!(read::<ProgressToken>("9223372036854775808").to_string(), "9223372036854775808");
    for token in ["1.5", "1.0", "1e3", "-0.5", "true", "null", "{}", "[]"] {
        refused::<ProgressToken>(token);
    }
}

#[test]
fn request_ids_are_strings_or_integers_of_64_bits() {
    for id in ["0", r#""""#, r#""é\n""#, "9223372036854775807", "-9223372036854775808"] {
        survives::<RequestId>(id);
    }
    for id in ["1.5", "1.0", "true", "null", "{}", "[]", "9223372036854775808", "-9223372036854775809"] {
        refused::<RequestId>(id);
    }
    assert_ne!(RequestId::from(1), RequestId::from("1"));
}
