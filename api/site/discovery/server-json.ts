import { isIP } from 'node:net'
import { type Addresses, addresses } from '../../../config/addresses.ts'
import type { Settings } from '../../../config/settings.ts'
import { SERVER_INFO } from '../../data/mcp/catalogue.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** The description of the MCP server for registries (server.json, schema of 2025-12-11). The operator can publish it as served. */
export function serverJson(settings: Settings) {
  const { site_url, mcp_url } = addresses(settings)
  return {
    $schema: SCHEMA,
    name: settings.registry_name ?? `${namespaceOf(mcp_url)}/holdshort`,
    title: SERVER_INFO.title,
    // Registries accept at most 100 characters.
    description: 'Airport security waits, FAA delays, weather and forecasts, each with source, age and probability.',
    version: SERVER_INFO.version,
    websiteUrl: site_url,
    remotes: [
      {
        type: 'streamable-http',
        url: `${mcp_url}/mcp`,
        headers: [
          {
            name: 'Authorization',
            description: `An API key as "Bearer <key>" (POST ${site_url}/api/agent/register returns a free one). Clients that use OAuth do not need it.`,
            placeholder: 'Bearer hs_agent_…',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

/** The host name reversed, as registries verify it: com.example for example.com. `local` for an IP address, which cannot be verified. */
function namespaceOf(url: Addresses['mcp_url']): string {
  const { hostname } = new URL(url)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'local' : hostname.split('.').reverse().join('.')
}
