import { z } from 'zod'
import { SERVER_INFO } from '../../api/mcp/catalogue.ts'
import { type Addresses, addresses } from '../../config/addresses.ts'
import type { Settings } from '../../config/settings.ts'
import { tierPrice } from '../../config/tiers.ts'
import { Tier } from '../../config/vocabulary.ts'
import type { SiteCatalogue } from './site-catalogue.ts'

/** Path of the listing. Directories read it without connecting to the server. */
export const TOOL_LISTING_PATH = '/.well-known/mcp/tools.json'

const schema = z.record(z.string(), z.unknown())

const count = z.int().min(0)
const TierPrice = z.strictObject({
  price_usd_per_month: z.number(),
  calls_per_month: count,
  requests_per_minute: count,
  overage_usd_per_1000: z.number().nullable().describe('Price of 1,000 further calls; null: they are refused.'),
})

/** The tools, prompts and resources of the MCP server with their tiers, as `tools/list` shows them. */
export const ToolListing = z
  .strictObject({
    server: z.strictObject({ name: z.string(), title: z.string(), version: z.string() }),
    endpoint: z.url().describe('The address of the MCP server (Streamable HTTP).'),
    authorization: z.strictObject({
      listing: z.enum(['open', 'credential']).describe('Whether `tools/list` at the server needs a credential.'),
      calls: z.literal('credential').describe('Calls always need OAuth or a key.'),
      resource_metadata: z.url().describe('Where OAuth begins (RFC 9728).'),
      get_a_key: z.string().describe('The request that returns a free key.'),
    }),
    tiers: z.strictObject({ free: TierPrice, pro: TierPrice, enterprise: TierPrice }),
    tools: z.array(
      z.strictObject({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        annotations: schema,
        inputSchema: schema,
        outputSchema: schema,
        tier: Tier.describe('The lowest tier that may call it.'),
        paid: z.boolean().describe('Whether it needs a paid tier.'),
        billed_calls: count.describe('Calls of the month that one successful call costs; a failed one costs none.'),
      }),
    ),
    prompts: z.array(schema),
    resources: z.array(schema).describe('Reading prompts and resources is never billed.'),
    views: z
      .array(
        z.strictObject({ uri: z.string(), title: z.string(), description: z.string(), tools: z.array(z.string()) }),
      )
      .describe('Pictures that hosts with the MCP Apps extension show beside the answers of tools.'),
  })
  .meta({ id: 'ToolListing' })

/** The address of the listing. */
export const toolListingAddress = ({ mcp_url }: Pick<Addresses, 'mcp_url'>) => mcp_url + TOOL_LISTING_PATH

/** The listing for an installation. */
export function toolListing({ mcp, tools }: SiteCatalogue, settings: Settings): z.input<typeof ToolListing> {
  const { site_url, mcp_url } = addresses(settings)
  const tierOf = new Map(tools.map(({ name, query }) => [name, query.tier]))
  const { name, title = name, version } = SERVER_INFO
  return {
    server: { name, title, version },
    endpoint: `${mcp_url}/mcp`,
    authorization: {
      listing: settings.mcp_open_listing ? 'open' : 'credential',
      calls: 'credential',
      resource_metadata: `${mcp_url}/.well-known/oauth-protected-resource/mcp`,
      get_a_key: `POST ${site_url}/api/agent/register`,
    },
    tiers: { free: tierPrice('free'), pro: tierPrice('pro'), enterprise: tierPrice('enterprise') },
    tools: mcp.listedTools.map((listed) => {
      const tier = tierOf.get(listed.name)!
      const { name, title, description, annotations, inputSchema, outputSchema } = listed
      const shown = { name, title, description, annotations: { ...annotations }, inputSchema, outputSchema }
      return { ...shown, tier, paid: tier !== 'free', billed_calls: 1 }
    }),
    prompts: mcp.listedPrompts,
    resources: mcp.listedResources,
    views: mcp.listedViews.map(({ uri, title: viewTitle, description }) => ({
      uri,
      title: viewTitle,
      description,
      tools: tools.flatMap((tool) => (tool.view?.uri === uri ? [tool.name] : [])),
    })),
  }
}
