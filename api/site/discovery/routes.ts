import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'
import { addresses } from '../../../config/addresses.ts'
import { DAY_MS } from '../../../config/domain.ts'
import type { AppDependencies } from '../../data/dependencies.ts'
import type { OpenApiDocument } from '../../data/rest/openapi-types.ts'
import { COMMON_STATUSES, NOT_MODIFIED, problemResponses } from '../../data/rest/route-schema.ts'
import { addCachedText } from '../pages/cached-text.ts'
import { apiCatalog, CATALOG_TYPE } from './api-catalog.ts'
import { ApiIndex, apiIndex } from './api-index.ts'
import { llmsText } from './llms.ts'
import { llmsFullText } from './llms-full.ts'
import { securityText } from './security-txt.ts'
import { serverJson } from './server-json.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { SkillIndex, skillIndex } from './skill-index.ts'
import { SKILLS, skillFile, skillPath } from './skills.ts'
import { TOOL_LISTING_PATH, ToolListing, toolListing } from './tool-listing.ts'

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const robots = (site_url: string) =>
  `User-agent: *\nDisallow: /api/\nDisallow: /mcp\nAllow: /\n\nSitemap: ${site_url}/sitemap.xml\n`

const LLMS_DESCRIPTION = 'What the service offers and where, in Markdown (llmstxt.org). No key is needed.'
const LLMS_FULL_DESCRIPTION =
  'Every operation and tool with parameters, errors and examples, tiers and skills, in Markdown. No key is needed.'
const SKILLS_DESCRIPTION =
  'The address of each SKILL.md and the SHA-256 of its bytes, as the Agent Skills discovery draft defines it. No key is needed.'

interface DocumentOptions {
  /** Changes when the text must be made again. */
  version?: () => string
  headers?: Record<string, string>
  /** The OpenAPI description. Documents whose place a standard defines have none. */
  schema?: FastifySchema
}

/** Adds the documents that agents, crawlers and clients look for. They need no key, and pages of any origin may read them. */
export function addDiscoveryRoutes(
  app: FastifyInstance,
  catalogue: SiteCatalogue,
  scope: string,
  dependencies: AppDependencies,
): void {
  const { settings, directory, clock = Date.now } = dependencies
  const urls = addresses(settings)
  const { site_url, mcp_url } = urls
  const airports = directory.all.length
  const add = (
    url: string,
    type: string,
    text: () => string,
    { version, headers, schema = { hide: true } }: DocumentOptions = {},
  ) => {
    const allHeaders = { 'access-control-allow-origin': '*', ...headers }
    addCachedText(app, { url, type, maxAge: 3_600, headers: allHeaders, schema }, version ?? (() => '1.0.0'), text)
  }
  const addJson = (url: string, value: () => unknown, options?: DocumentOptions) =>
    add(url, JSON_TYPE, () => JSON.stringify(value()), options)

  add('/robots.txt', PLAIN, () => robots(site_url))
  const security = securityText(settings.contact, site_url)
  // The document expires, so it is made again each day.
  const day = () => String(Math.floor(clock() / DAY_MS))
  if (security) add('/.well-known/security.txt', PLAIN, () => security(clock()), { version: day })

  add('/llms.txt', PLAIN, () => llmsText(catalogue, urls, airports), {
    schema: described('getLlmsIndex', 'The index for agents', LLMS_DESCRIPTION, 'text/plain', z.string()),
  })
  const document = () => app.swagger() as unknown as OpenApiDocument
  add('/llms-full.txt', PLAIN, () => llmsFullText(catalogue, document(), urls, airports), {
    schema: described(
      'getLlmsFull',
      'Everything that an agent needs, in one text',
      LLMS_FULL_DESCRIPTION,
      'text/plain',
      z.string(),
    ),
  })
  addJson('/openapi.json', document)
  addJson('/server.json', () => serverJson(settings))
  addJson('/api/v1', () => apiIndex(catalogue, urls), {
    schema: described(
      'getApiIndex',
      'The operations of this API and where they are described',
      'The root of the REST API. No key is needed.',
      'application/json',
      ApiIndex,
    ),
  })
  addJson(TOOL_LISTING_PATH, () => ToolListing.parse(toolListing(catalogue, settings)), {
    schema: described(
      'listMcpTools',
      'The tools of the MCP server, without connecting to it',
      'Every tool with its schemas, tier and what a call costs, the prompts and the resources, as the MCP server lists them. For directories and clients that have no credential yet. No key is needed.',
      'application/json',
      ToolListing,
    ),
  })

  const skills = described(
    'listSkills',
    'The skills for agents, with digests',
    SKILLS_DESCRIPTION,
    'application/json',
    SkillIndex,
  )
  addJson('/.well-known/agent-skills/index.json', () => skillIndex(catalogue, urls), { schema: skills })
  for (const name of SKILLS) add(skillPath(name), MARKDOWN, () => skillFile(name, urls, catalogue))

  const { text, link } = apiCatalog(urls, settings.open_data[0] !== 'off')
  add('/.well-known/api-catalog', CATALOG_TYPE, () => text, { headers: { link } })
  const resource = {
    resource: `${mcp_url}/mcp`,
    authorization_servers: [urls.auth_url],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Holdshort MCP server',
    resource_documentation: `${site_url}/llms.txt`,
  }
  // RFC 9728 appends the path of the resource to the well-known path; clients request both.
  for (const path of ['', '/mcp']) addJson(`/.well-known/oauth-protected-resource${path}`, () => resource)
}

/** The OpenAPI description of a document. */
function described(
  operationId: string,
  summary: string,
  description: string,
  type: string,
  schema: z.ZodType,
): FastifySchema {
  const ok = { description: 'The document.', content: { [type]: { schema } } }
  const response = { 200: ok, 304: NOT_MODIFIED, ...problemResponses(COMMON_STATUSES) }
  return { tags: ['service'], operationId, summary, description, response }
}
