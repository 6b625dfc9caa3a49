#!/usr/bin/env bash
# fastmcp 2.14.5, 3.4.4 and 4.2.3 (PyPI).
# FastMCP.from_openapi makes the tools of an MCP server from an API's document. An operation that answers CSV or plain text, described as
# such descriptions are (`text/csv` with `type: string`), becomes a tool with an output schema; its answer is no JSON, so it is given as
# text alone, and the call fails at its own schema, while the list shows the tool. A string of JSON is right, and so
# is an answer in CSV that the document does not describe. Airports' tables are CSV. Seen, alike in the three but for the words of the error:
#   csv described: refused
#   plain text described: refused
#   csv not described: iata JFK
#   a string of JSON: {"result":"JFK"}
#   an object of JSON: {"iata":"JFK"}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >read.py <<'PY'
import asyncio, logging, warnings

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
import httpx
from fastmcp import Client, FastMCP

TEXT, OBJECT = {"type": "string"}, {"type": "object", "properties": {"iata": {"type": "string"}}}
CASES = {
    "csv described": ("text/csv", TEXT, "iata\nJFK"),
    "plain text described": ("text/plain", TEXT, "JFK"),
    "csv not described": ("text/csv", {}, "iata\nJFK"),
    "a string of JSON": ("application/json", TEXT, '"JFK"'),
    "an object of JSON": ("application/json", OBJECT, '{"iata":"JFK"}'),
}
paths, answers = {}, {}
for number, (media, schema, body) in enumerate(CASES.values()):
    ok = {"description": "ok", "content": {media: {"schema": schema}}}
    paths[f"/{number}"] = {"get": {"operationId": f"read{number}", "responses": {"200": ok}}}
    answers[f"/{number}"] = httpx.Response(200, headers={"content-type": media}, content=body.encode())
document = {"openapi": "3.1.0", "info": {"title": "airports", "version": "1"}, "paths": paths}
transport = httpx.MockTransport(lambda request: answers[request.url.path])
server = FastMCP.from_openapi(openapi_spec=document, client=httpx.AsyncClient(base_url="http://airports.example", transport=transport))

async def main():
    async with Client(server) as client:
        assert len(await client.list_tools()) == len(CASES)
        for number, case in enumerate(CASES):
            try:
                text = (await client.call_tool(f"read{number}", {})).content[0].text
            except Exception as error:
                assert "structured" in str(error), error
                text = "refused"
            print(f"{case}: {' '.join(text.split())}")

asyncio.run(main())
PY
cat >right <<'TXT'
csv described: refused
plain text described: refused
csv not described: iata JFK
a string of JSON: {"result":"JFK"}
an object of JSON: {"iata":"JFK"}
TXT
for version in 2.14.5 3.4.4 4.2.3; do
  python3 -m venv "venv$version"
  "venv$version/bin/pip" install --quiet "fastmcp==$version" httpx==0.28.1
  "venv$version/bin/python" -W ignore read.py | tee seen
  diff seen right
done
