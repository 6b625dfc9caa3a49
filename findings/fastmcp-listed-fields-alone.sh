#!/usr/bin/env bash
# fastmcp 4.2.3 (PyPI), its client.
# A tool may list a few fields of its answer, as a list of tools costs every agent tokens: JSON Schema allows further fields wherever
# `additionalProperties` does not forbid them. The client makes a class of the listed fields, and `result.data`, which its documentation
# recommends, loses all others without a word: waits that the server sent are gone. `structured_content` has them. A schema with no field
# at all gives everything, and so does `additionalProperties: true`, which says what is the default. Seen:
#   one field listed:                known
#   additionalProperties: true:      known, summary, waits
#   no field listed:                 known, summary, waits
#   structured_content in each case: known, summary, waits
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet fastmcp==4.2.3
cat >read.py <<'PY'
import asyncio, dataclasses
from fastmcp import Client, FastMCP
from fastmcp.tools.base import Tool, ToolResult

ANSWER = {"known": True, "summary": "no delay", "waits": [{"airport": "JFK", "minutes": 12}]}
LISTED = {"known": {"type": "boolean"}}

class Fixed(Tool):
    async def run(self, arguments):
        return ToolResult(content="no delay", structured_content=ANSWER)

SCHEMAS = {
    "one field listed": {"type": "object", "properties": LISTED},
    "additionalProperties: true": {"type": "object", "properties": LISTED, "additionalProperties": True},
    "no field listed": {"type": "object"},
}
server = FastMCP("airports")
for number, schema in enumerate(SCHEMAS.values()):
    server.add_tool(Fixed(name=f"delays_{number}", parameters={"type": "object", "properties": {}}, output_schema=schema))

def names(data):
    if isinstance(data, dict): return data
    return dataclasses.asdict(data) if dataclasses.is_dataclass(data) else data.model_dump()

async def main():
    async with Client(server) as client:
        whole = []
        for number, title in enumerate(SCHEMAS):
            result = await client.call_tool(f"delays_{number}", {})
            whole.append(result.structured_content == ANSWER)
            print(f"{title + ':':32}", ", ".join(names(result.data)))
        print(f"{'structured_content in each case:':32}", ", ".join(ANSWER) if all(whole) else "not whole")

asyncio.run(main())
PY
venv/bin/python read.py 2>errors | tee seen || { cat errors; exit 1; }
diff seen - <<'TXT'
one field listed:                known
additionalProperties: true:      known, summary, waits
no field listed:                 known, summary, waits
structured_content in each case: known, summary, waits
TXT
