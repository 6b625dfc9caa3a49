import { TIERS } from '../../../../config/tiers.ts'
import type { Skill } from './define.ts'

export const useTheMcpServer: Skill = {
  name: 'use-the-mcp-server',
  description:
    'Connect to the Holdshort MCP server and choose the right tool for airport waits, delays and predictions. Use it when the client speaks MCP.',
  body: ({ site_url, mcp_url }, { tools, resources, prompts }) => `# Use the MCP server

The server is ${mcp_url}/mcp: Streamable HTTP, without sessions, one message per request. A client that supports OAuth needs only this
address: it discovers the rest, and its user approves it once. Other clients send the same keys as REST
(\`POST ${site_url}/api/agent/register\` returns a free one) in the \`Authorization\` header. Many clients are configured like this:

    {"mcpServers":{"holdshort":{"type":"http","url":"${mcp_url}/mcp","headers":{"Authorization":"Bearer <key>"}}}}

## Which tool

${tools.map(({ name, title, query }) => `- ${name}: ${title} (${TIERS[query.tier].name})`).join('\n')}

Without an IATA code, search first. The tier in brackets is the one that the key needs. All of them with their schemas, without a
key: ${mcp_url}/.well-known/mcp/tools.json

Prompts for common questions: ${prompts.map(({ name }) => name).join(', ')}. Resources: ${resources.map(({ uri }) => uri).join(', ')}. Reading them is not billed.

## Answers

- \`structuredContent\` has every figure with its basis, age and source; \`content\` is a short text of the same for people.
- A call that fails is answered with \`isError\`: its text begins with the error code, its \`_meta\` has the whole problem. After
  INVALID_PARAMETER correct the named argument and call again; after PREMIUM_REQUIRED do not.
- A missing or wrong key (401) and a reached limit (429, with \`Retry-After\`) are HTTP errors, as on REST.
- Only tool calls that succeed count against the month.
`,
}
