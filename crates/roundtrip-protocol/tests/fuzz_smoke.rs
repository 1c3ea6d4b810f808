//! The fuzz targets, run without a fuzzer: over good input, over changes to it, and over anything.

use proptest::prelude::*;

#[path = "../../../fuzz/src/lib.rs"]
pub mod targets;

type Target = fn(&[u8]);

const TARGETS: [(Target, &str); 10] = [
    (
        targets::classify,
        "2026-07-28\ntools/call\nadd\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"add\",\
         \"arguments\":{\"a\":[1,{\"b\":\"\\u00e9\"}]},\"requestState\":\"x\",\"_meta\":{\
         \"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\
         \"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
    ),
    (
        targets::classify,
        "\n\n\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"a\"}}",
    ),
    (
        targets::uri_template,
        "notes://{user}/é{/path*}{?tag,limit*}{#f}\nnotes://a%20b/%C3%A9/x/y?limit=1&tag=2#z",
    ),
    (targets::uri_template, "{+a}.{b:3}{;c}{&d}\n../a%2e.%252e.xyz;c=1&d=2"),
    (targets::canonical, "{\"b\":[1.50e+2,-0,\"\\ud83d\\ude00\\n\"],\"a\":{\"z\":null,\"y\":true}}"),
    (targets::canonical, "[12345678901234567890.0e-3, {\"\\u0061\": {}, \"a\": \"\\ud800\"}]"),
    (targets::header_value, "=?base64?aMOpbGxv?="),
    (targets::header_value, " plain value\t"),
    (
        targets::form,
        "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"format\":\"date-time\"},\"n\":{\"type\":\"integer\",\
         \"minimum\":1},\"m\":{\"type\":\"array\",\"items\":{\"enum\":[\"x\",\"y\"]}}}}\n\
         {\"a\":\"2026-07-28T00:00:00Z\",\"n\":3.0,\"m\":[\"x\"]}",
    ),
    (
        targets::form,
        "{\"type\":\"object\",\"properties\":{\"e\":{\"type\":\"string\",\"format\":\"email\",\"maxLength\":9}}}\n{\"e\":\"a@b.c\"}",
    ),
];

#[test]
fn good_input() {
    for (target, input) in TARGETS {
        target(input.as_bytes());
    }
}

#[test]
fn every_cut_of_good_input() {
    for (target, input) in TARGETS {
        for end in 0..input.len() {
            target(&input.as_bytes()[..end]);
        }
    }
}

proptest! {
    #[test]
    fn changes_to_good_input(
        target in 0..TARGETS.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..6),
    ) {
        let (target, input) = TARGETS[target];
        let mut input = input.as_bytes().to_vec();
        for (at, byte, kind) in changes {
            let at = at.index(input.len());
            match kind {
                0 => input[at] = byte,
                1 => input.insert(at, byte),
                2 if input.len() > 1 => drop(input.remove(at)),
                _ => input.extend_from_within(at..),
            }
        }
        target(&input);
    }

    #[test]
    fn anything(target in 0..TARGETS.len(), input in any::<Vec<u8>>()) {
        TARGETS[target].0(&input);
    }
}
