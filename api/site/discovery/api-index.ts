import { z } from 'zod'
import type { Addresses } from '../../../config/addresses.ts'
import { Tier } from '../../../config/domain.ts'
import type { SiteCatalogue } from './site-catalogue.ts'

const link = z.url()

/** What is at the root of the REST API: where its description is, and its operations. */
export const ApiIndex = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    description: link.describe('The OpenAPI 3.1 document.'),
    documentation: link.describe('Everything in one text, for people and agents.'),
    status: link,
    get_a_key: z.string().describe('The request that returns a free key.'),
    operations: z.array(
      z.strictObject({
        name: z.string().describe('The operation id in the OpenAPI document.'),
        request: z.string().describe('Method and address; {iata} is an IATA code.'),
        summary: z.string(),
        tier: Tier.describe('The lowest tier that may use it.'),
      }),
    ),
  })
  .meta({ id: 'ApiIndex' })

/** The index of the REST API. */
export function apiIndex({ queries }: SiteCatalogue, { site_url, base_url }: Addresses): z.output<typeof ApiIndex> {
  return {
    name: 'Holdshort airport wait-time and delay API',
    version: '1.0.0',
    description: `${site_url}/openapi.json`,
    documentation: `${site_url}/llms-full.txt`,
    status: `${site_url}/status`,
    get_a_key: `POST ${site_url}/api/agent/register`,
    operations: queries.map(({ name, rest, tier }) => ({
      name,
      request: `${rest!.method} ${base_url}${rest!.path.replace(/:(\w+)/g, '{$1}')}`,
      summary: rest!.summary,
      tier,
    })),
  }
}
