import { TIERS } from '../../../../config/tiers.ts'
import type { Skill } from './define.ts'

export const useTheMcpServer: Skill = {
  name: 'use-the-mcp-server',
  description:
    'Connect to the Holdshort MCP server and choose the right tool for airport waits, delays and predictions. Use it when the client speaks MCP.',
  body: ({ site_url, mcp_url }, { tools, resources, prompts }) => `# Use the MCP server

The server is ${mcp_url}/mcp: Streamable HTTP, without sessions, one message a request. A client that knows OAuth needs this
address alone: it finds its way, and its person approves it once. Otherwise it takes the same keys as REST
(\`POST ${site_url}/api/agent/register\` gives a free one), in the \`Authorization\` header. Many clients are set up so:

    {"mcpServers":{"holdshort":{"type":"http","url":"${mcp_url}/mcp","headers":{"Authorization":"Bearer <key>"}}}}

## Which tool

${tools.map(({ name, title, query }) => `- ${name}: ${title} (${TIERS[query.tier].name})`).join('\n')}

Without an IATA code, search first. The tiers are those of the key.

Prompts for what is asked most: ${prompts.map(({ name }) => name).join(', ')}. Resources: ${resources.map(({ uri }) => uri).join(', ')}. Reading them is not billed.

## Answers

- \`structuredContent\` has every figure with its basis, age and source; \`content\` is a short text of the same for people.
- A fault of a call is an answer with \`isError\`: its text begins with the code, its \`_meta\` has the whole problem. After
  INVALID_PARAMETER mend the named argument and call again; after PREMIUM_REQUIRED never.
- A key that is missing or wrong (401) and a limit that was met (429, with \`Retry-After\`) are refused by HTTP, as on REST.
- Only tool calls that succeed count against the month.
`,
}
