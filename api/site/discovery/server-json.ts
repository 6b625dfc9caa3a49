import { isIP } from 'node:net'
import { type Addresses, addresses, type Settings } from '../../../config/settings.ts'
import { SERVER_INFO } from '../../data/mcp/server-constants.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/**
 * The description of the MCP server that registries take (server.json, schema of 2025-12-11): the operator publishes what
 * is served here.
 */
export function serverJson(settings: Settings) {
  const { site_url, mcp_url } = addresses(settings)
  return {
    $schema: SCHEMA,
    name: settings.registry_name ?? `${namespaceOf(mcp_url)}/holdshort`,
    title: SERVER_INFO.title,
    // Registries take 100 characters.
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
            description: `An API key as "Bearer <key>" (POST ${site_url}/api/agent/register gives a free one); not needed by clients that sign in by OAuth.`,
            placeholder: 'Bearer hs_agent_…',
            isRequired: false,
            isSecret: true,
          },
        ],
      },
    ],
  }
}

/** The name of a host from its end, as registries prove it: com.example for example.com. Addresses prove nothing. */
function namespaceOf(url: Addresses['mcp_url']): string {
  const { hostname } = new URL(url)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'local' : hostname.split('.').reverse().join('.')
}
