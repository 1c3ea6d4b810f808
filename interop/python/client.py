"""The checks of our server with the Python SDK's client: `client.py URL` prints a line for each.

A line is `ok NAME` or `failed NAME: why`. `src/client.rs` makes the same checks with our client.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable

from mcp import Client, MCPError
from mcp.client import ClientRequestContext
from mcp.types import (
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsResult,
    Root,
    TextContent,
    TextResourceContents,
)

ANSWERS = {"region": "eu-west-1", "zone": "b", "audience": "the board", "size": "large"}
REFUSAL = (-32602, "Invalid or expired requestState")
Check = Callable[[Client], Awaitable[None]]
CHECKS: list[tuple[str, Check]] = []


def check(name: str) -> Callable[[Check], Check]:
    def register(function: Check) -> Check:
        CHECKS.append((name, function))
        return function

    return register


async def answer(_context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
    """Fills in every field that the form asks for."""
    assert isinstance(params, ElicitRequestFormParams), params
    fields = params.requested_schema["properties"]
    return ElicitResult(action="accept", content={field: ANSWERS[field] for field in fields})


async def model(_context: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
    (message,) = params.messages
    assert isinstance(message.content, TextContent), message
    said = message.content.text.removeprefix("Summarise: ").upper()
    return CreateMessageResult(role="assistant", model="shouter", content=TextContent(type="text", text=said))


async def roots(_context: ClientRequestContext) -> ListRootsResult:
    return ListRootsResult(roots=[Root(uri="file:///data", name="data"), Root(uri="file:///tmp", name="tmp")])


def expect(actual: object, expected: object) -> None:
    if actual != expected:
        raise AssertionError(f"{actual!r} is not {expected!r}")


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent), block
    return block.text


async def refused(call: Awaitable[object], code: int, message: str | None = None) -> None:
    try:
        result = await call
    except MCPError as error:
        expect(error.code, code)
        if message is not None:
            expect(error.message, message)
    else:
        raise AssertionError(f"{result!r} came back, not an error")


@check("discover")
async def discover(client: Client) -> None:
    expect(client.protocol_version, "2026-07-28")
    assert client.server_info is not None
    expect(client.server_info.name, "Provisioner")
    capabilities = client.server_capabilities
    assert capabilities.tools and capabilities.prompts and capabilities.resources, capabilities


@check("lists")
async def lists(client: Client) -> None:
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    # What the model fills in is the declared argument alone, never what a resolver asks for.
    expect(set(tools["provision"].input_schema["properties"]), {"name"})
    expect(tools["provision"].input_schema["required"], ["name"])
    assert tools["echo"].output_schema is not None
    expect([prompt.name for prompt in (await client.list_prompts()).prompts], ["briefing"])
    expect([str(resource.uri) for resource in (await client.list_resources()).resources], ["note://static"])
    templates = (await client.list_resource_templates()).resource_templates
    expect([template.uri_template for template in templates], ["plan://{name}"])


@check("tool asks")
async def tool(client: Client) -> None:
    result = await client.call_tool("provision", {"name": "orders"})
    expect(text_of(result), "Provisioned 'orders' in eu-west-1.")


@check("question after question")
async def two_rounds(client: Client) -> None:
    result = await client.call_tool("place", {"name": "orders"})
    expect(text_of(result), "Placed 'orders' in eu-west-1, zone b.")


@check("prompt asks")
async def prompt(client: Client) -> None:
    result = await client.get_prompt("briefing")
    (message,) = result.messages
    assert isinstance(message.content, TextContent), message
    expect(message.content.text, "Write a briefing for the board.")


@check("template asks")
async def template(client: Client) -> None:
    (contents,) = (await client.read_resource("plan://orders")).contents
    assert isinstance(contents, TextResourceContents), contents
    expect((contents.uri, contents.text), ("plan://orders", "Plan for orders: large."))


@check("asked by hand")
async def by_hand(client: Client) -> None:
    result = await client.call_tool("provision_by_hand", {"name": "orders"})
    expect(text_of(result), "Provisioned 'orders' in eu-west-1 (asked for orders).")


@check("driven by hand")
async def driven(client: Client) -> None:
    rounds = 0
    result = await client.session.call_tool("place", {"name": "orders"}, allow_input_required=True)
    while isinstance(result, InputRequiredResult):
        rounds += 1
        answers = {}
        for key, request in (result.input_requests or {}).items():
            fields = request.params.requested_schema["properties"]
            answers[key] = ElicitResult(action="accept", content={field: ANSWERS[field] for field in fields})
        result = await client.session.call_tool(
            "place",
            {"name": "orders"},
            input_responses=answers,
            request_state=result.request_state,
            allow_input_required=True,
        )
    expect((rounds, text_of(result)), (2, "Placed 'orders' in eu-west-1, zone b."))


@check("altered state is refused")
async def altered(client: Client) -> None:
    first = await client.session.call_tool("provision_by_hand", {"name": "orders"}, allow_input_required=True)
    assert isinstance(first, InputRequiredResult) and first.request_state, first
    assert "asked" not in first.request_state, "the state is readable"
    again = {"input_responses": {"region": ElicitResult(action="accept", content={"region": "eu-west-1"})}}
    state = first.request_state
    call = client.session.call_tool
    await refused(call("provision_by_hand", {"name": "orders"}, request_state=state + "x", **again), *REFUSAL)
    await refused(call("provision_by_hand", {"name": "others"}, request_state=state, **again), *REFUSAL)
    await refused(call("echo", {"text": "a", "number": 1}, request_state=state, **again), *REFUSAL)


@check("model is asked")
async def sampling(client: Client) -> None:
    result = await client.call_tool("summarise", {"text": "all is well"})
    expect(text_of(result), "shouter says: ALL IS WELL")


@check("roots are asked")
async def list_roots(client: Client) -> None:
    expect(text_of(await client.call_tool("count_roots", {})), "2 roots, the first is file:///data")


@check("structured content")
async def structured(client: Client) -> None:
    arguments = {"text": 'grüß "Gott" \u2028 🦀', "number": 9007199254740993}
    expect((await client.call_tool("echo", arguments)).structured_content, arguments)


@check("progress")
async def progress(client: Client) -> None:
    seen: list[tuple[float, float | None, str | None]] = []

    async def note(value: float, total: float | None, message: str | None) -> None:
        seen.append((value, total, message))

    result = await client.call_tool("count", {"to": 3}, progress_callback=note)
    expect(text_of(result), "Counted to 3.")
    expect(seen, [(1.0, 3.0, "step 1"), (2.0, 3.0, "step 2"), (3.0, 3.0, "step 3")])


@check("argument as header")
async def header(client: Client) -> None:
    await client.list_tools()
    for region in ["eu-west-1", " süd ", ""]:
        expect(text_of(await client.call_tool("route", {"region": region})), f"Routed to {region}.")


@check("errors")
async def errors(client: Client) -> None:
    failed = await client.call_tool("fail", {})
    expect(failed.is_error, True)
    await refused(client.read_resource("nothing://here"), -32602)
    # A server may answer a tool that it doesn't have either way.
    try:
        expect((await client.call_tool("no_such_tool", {})).is_error, True)
    except MCPError as error:
        expect(error.code, -32602)


async def decline(_context: ClientRequestContext, _params: ElicitRequestParams) -> ElicitResult:
    return ElicitResult(action="decline")


async def declined(url: str) -> None:
    async with Client(url, elicitation_callback=decline) as client:
        result = await client.call_tool("provision", {"name": "orders"})
        expect(result.is_error, True)


async def without_capability(url: str) -> None:
    async with Client(url) as client:
        await refused(client.call_tool("provision", {"name": "orders"}), -32021)


async def main(url: str) -> int:
    failures = 0

    async def report(name: str, outcome: Awaitable[None]) -> None:
        nonlocal failures
        try:
            await asyncio.wait_for(outcome, 20)
        except Exception as error:  # noqa: BLE001 - whatever went wrong belongs in the table
            failures += 1
            why = " ".join(str(error).split()) or type(error).__name__
            print(f"failed {name}: {why}", flush=True)
        else:
            print(f"ok {name}", flush=True)

    async with Client(
        url, elicitation_callback=answer, sampling_callback=model, list_roots_callback=roots
    ) as client:
        for name, function in CHECKS:
            await report(name, function(client))
    await report("declined", declined(url))
    await report("nobody to ask", without_capability(url))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
