import type { Addresses } from '../../config/addresses.ts'
import { projectText } from '../../config/project-text.ts'
import { TIERS } from '../../config/tiers.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { toolLines } from './skills.ts'
import { toolListingAddress } from './tool-listing.ts'

/** The service in two sentences. */
const summaryOf = (airports: number) =>
  `Airport security waits, FAA delays, hourly predictions and history for ${airports} airports, over REST and MCP. Every figure comes with its source and age; a value that is not known is null.`

/** The index for agents (llms.txt): what the service offers and how to use it. */
export function llmsText(
  { queries, tools }: SiteCatalogue,
  { site_url, mcp_url }: Addresses,
  airports: number,
): string {
  const endpoints = queries.map(
    ({ rest, tier }) =>
      `- ${rest!.method} ${site_url}/api/v1${rest!.path.replace(/:(\w+)/g, '{$1}')}: ${rest!.summary} (${TIERS[tier].name})`,
  )
  return projectText('site/discovery/llms.md', {
    site_url,
    mcp_url,
    summary: summaryOf(airports),
    tool_listing: toolListingAddress({ mcp_url }),
    endpoints: endpoints.join('\n'),
    tools: toolLines(tools).join('\n'),
  })
}
