#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 and @modelcontextprotocol/client 2.4.0 (npm), mcp 2.3.0 (PyPI).
# MCP's schemas are JSON Schema 2020-12. The client of the SDK 1.x checks answers as draft-07, also where the schema names 2020-12:
# `prefixItems` is not known there, and the `items: false` that closes a tuple forbids every item. A right answer, a range of two
# numbers, is refused as an error of the server. It is refused only once the tools have been listed: before that the same client takes it,
# so a test that calls without listing sees nothing. The client 2.4.0 and the SDK for Python take it. Seen:
#   sdk, before listing: {"range":[3,9]}
#   sdk, after listing: refused, data/range/0 boolean schema is false
#   client, before listing: {"range":[3,9]}
#   client, after listing: {"range":[3,9]}
#   mcp, after listing: {'range': [3, 9]}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0
python3 -m venv venv
venv/bin/pip install --quiet mcp==2.3.0
cat > server.mjs <<'JS'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
const server = new Server({ name: 'ranges', version: '1.0.0' }, { capabilities: { tools: {} } })
const range = { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false }
const outputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['range'],
  properties: { range },
}
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [{ name: 'wait', inputSchema: { type: 'object' }, outputSchema }],
}))
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: { range: [3, 9] } }))
await server.connect(new StdioServerTransport())
JS
for sdk in sdk client; do
  modules=$([ $sdk = sdk ] && echo "sdk/client/index.js sdk/client/stdio.js" || echo "client client/stdio")
  cat > "$sdk.mjs" <<JS
import { Client } from '@modelcontextprotocol/${modules% *}'
import { StdioClientTransport } from '@modelcontextprotocol/${modules#* }'
const client = new Client({ name: 'reader', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command: 'node', args: ['server.mjs'] }))
const answer = () =>
  client.callTool({ name: 'wait', arguments: {} }).then(
    ({ structuredContent }) => JSON.stringify(structuredContent),
    ({ message }) => 'refused, ' + message.match(/data.range.0 [a-z ]+/)[0],
  )
console.log('$sdk, before listing:', await answer())
await client.listTools()
console.log('$sdk, after listing:', await answer())
await client.close()
JS
  node "$sdk.mjs"
done | tee seen
cat > read.py <<'PY'
import asyncio

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    async with stdio_client(StdioServerParameters(command="node", args=["server.mjs"])) as streams:
        async with ClientSession(*streams) as session:
            await session.initialize()
            await session.list_tools()
            print("mcp, after listing:", (await session.call_tool("wait", {})).structured_content)


asyncio.run(main())
PY
venv/bin/python read.py | tee -a seen
grep -qx 'sdk, before listing: {"range":\[3,9\]}' seen
grep -qx 'sdk, after listing: refused, data/range/0 boolean schema is false' seen
grep -qx 'client, after listing: {"range":\[3,9\]}' seen
grep -qx "mcp, after listing: {'range': \[3, 9\]}" seen
