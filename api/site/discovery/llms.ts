import type { Addresses } from '../../../config/settings.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { toolLines } from './skills.ts'
import { toolListingAddress } from './tool-listing.ts'

/** The service in two sentences. */
export const summaryOf = (airports: number) =>
  `Airport security waits, FAA delays, hourly predictions and history for ${airports} airports, over REST and MCP. Every figure comes with its source and age; a value that is not known is null.`

/** The index for agents (llms.txt): what the service offers and how to use it. */
export function llmsText(
  { queries, tools }: SiteCatalogue,
  { site_url, mcp_url }: Addresses,
  airports: number,
): string {
  const endpoints = queries.map(
    ({ rest, summary, tier }) =>
      `- ${rest!.method} ${site_url}/api/v1${rest!.path.replace(/:(\w+)/g, '{$1}')}: ${summary} (${TIERS[tier].name})`,
  )
  return `# Holdshort

> ${summaryOf(airports)}

## Start

- POST ${site_url}/api/agent/register with {} returns a free key. It is shown only once.
- Send it as \`Authorization: Bearer <key>\` or \`X-API-Key: <key>\`, not both.
- [Everything in one text](${site_url}/llms-full.txt): every operation and tool with parameters, errors and examples
- [OpenAPI 3.1](${site_url}/openapi.json)
- [Skills](${site_url}/.well-known/agent-skills/index.json) for agents
- MCP (Streamable HTTP): ${mcp_url}/mcp, with OAuth 2.1 (give a client only this address; its user approves it) or with a key
- [The MCP tools](${toolListingAddress({ mcp_url })}) with schemas, tiers and what a call costs; no key is needed
- [server.json](${site_url}/server.json) for MCP registries

## REST

${endpoints.join('\n')}

## MCP tools

${toolLines(tools).join('\n')}

## Errors

- 401 INVALID_API_KEY: the key is missing, malformed or revoked. Register again.
- 403 PREMIUM_REQUIRED: the tier is too low. Never retry.
- 429 rate_limited: wait for Retry-After. Do not rotate addresses.
`
}
