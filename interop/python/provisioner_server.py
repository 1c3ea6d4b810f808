"""The server that our client is checked against: each kind of thing that can ask, on the Python SDK.

Listens on a free port of the loopback address, and says on its first line where.
`src/server.rs` is the same server on ours; the clients expect the same of both.
"""

import socket
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import Context, Elicit, ListRoots, MCPServer, Resolve, Sample
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.types import (
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
    ListRootsResult,
    SamplingMessage,
    TextContent,
)
from pydantic import BaseModel, Field

# Some checks fail calls on purpose, so what the log says of them is no news.
mcp = MCPServer("Provisioner", version="1.0.0", log_level="CRITICAL")


class Region(BaseModel):
    region: str


class Zone(BaseModel):
    zone: str


class Echo(BaseModel):
    text: str
    number: int


def form(message: str, field: str) -> ElicitRequest:
    """A question with one text field."""
    schema = {"type": "object", "properties": {field: {"type": "string"}}, "required": [field]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def accepted(ctx: Context, key: str) -> str | None:
    """The one field of the answer under `key`, if the person accepted."""
    answer = (ctx.input_responses or {}).get(key)
    if isinstance(answer, ElicitResult) and answer.action == "accept" and answer.content:
        return str(answer.content[key])
    return None


async def ask_region() -> Elicit[Region]:
    return Elicit("Which region should the database live in?", Region)


async def ask_zone(region: Annotated[Region, Resolve(ask_region)]) -> Elicit[Zone]:
    return Elicit(f"Which zone of {region.region}?", Zone)


async def ask_model(text: str) -> Sample:
    content = TextContent(type="text", text=f"Summarise: {text}")
    return Sample([SamplingMessage(role="user", content=content)], max_tokens=100)


async def ask_roots() -> ListRoots:
    return ListRoots()


@mcp.tool(structured_output=False)
async def provision(name: str, region: Annotated[Region, Resolve(ask_region)]) -> str:
    """Provision a database. Asks which region to put it in."""
    return f"Provisioned '{name}' in {region.region}."


@mcp.tool(structured_output=False)
async def place(
    name: str, region: Annotated[Region, Resolve(ask_region)], zone: Annotated[Zone, Resolve(ask_zone)]
) -> str:
    """Place a database in a zone. The second question depends on the first answer."""
    return f"Placed '{name}' in {region.region}, zone {zone.zone}."


@mcp.tool(structured_output=False)
async def provision_by_hand(name: str, ctx: Context) -> str | InputRequiredResult:
    """Provision a database, asking by hand and keeping a state between the rounds."""
    region = accepted(ctx, "region")
    if region is None:
        question = form("Which region should the database live in?", "region")
        return InputRequiredResult(input_requests={"region": question}, request_state=f"asked for {name}")
    return f"Provisioned '{name}' in {region} ({ctx.request_state})."


@mcp.tool(structured_output=False)
async def summarise(text: str, summary: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
    """Summarise a text with the client's model."""
    assert isinstance(summary.content, TextContent)
    return f"{summary.model} says: {summary.content.text}"


@mcp.tool(structured_output=False)
async def count_roots(roots: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
    """Count the folders that the client works in."""
    return f"{len(roots.roots)} roots, the first is {roots.roots[0].uri}"


@mcp.tool()
async def echo(text: str, number: int) -> Echo:
    """Answer with the arguments as structured content."""
    return Echo(text=text, number=number)


@mcp.tool(structured_output=False)
async def count(to: int, ctx: Context) -> str:
    """Count, with a progress notification for each step."""
    for step in range(1, to + 1):
        await ctx.report_progress(step, to, f"step {step}")
    return f"Counted to {to}."


@mcp.tool(structured_output=False)
async def route(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})]) -> str:
    """Answer with an argument that also travels as a header."""
    return f"Routed to {region}."


@mcp.tool(structured_output=False)
async def fail() -> str:
    """Fail on purpose."""
    raise ValueError("no database today")


@mcp.prompt()
async def briefing(ctx: Context) -> list[UserMessage] | InputRequiredResult:
    """Draft a briefing tuned to its audience."""
    audience = accepted(ctx, "audience")
    if audience is None:
        return InputRequiredResult(input_requests={"audience": form("Who is the briefing for?", "audience")})
    return [UserMessage(f"Write a briefing for {audience}.")]


@mcp.resource("plan://{name}", mime_type="text/plain")
async def plan(name: str, ctx: Context) -> str | InputRequiredResult:
    """The plan of a database. Asks how large it should be."""
    size = accepted(ctx, "size")
    if size is None:
        return InputRequiredResult(input_requests={"size": form(f"How large should {name} be?", "size")})
    return f"Plan for {name}: {size}."


@mcp.resource("note://static", mime_type="text/plain")
def note() -> str:
    """A resource that asks nothing."""
    return "Nothing to ask."


if __name__ == "__main__":
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # Whoever reads the line may connect at once, and waits until the application is up.
    print(f"listening on http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(mcp.streamable_http_app(), log_level="critical", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])
