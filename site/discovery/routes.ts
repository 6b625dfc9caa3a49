import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'
import type { AppDependencies } from '../../api/dependencies.ts'
import { SERVER_INFO } from '../../api/mcp/catalogue.ts'
import { addPreflightOfClients } from '../../api/rest/cors.ts'
import { COMMON_STATUSES, NOT_MODIFIED, problemResponses } from '../../api/rest/route-schema.ts'
import { type Addresses, addresses } from '../../config/addresses.ts'
import { projectFile } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { DAY_MS, Tier } from '../../config/vocabulary.ts'
import { addCachedText } from '../pages/cached-text.ts'
import { llmsText } from './llms.ts'
import { securityText } from './security-txt.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { SKILLS, skillFile, skillParts, skillPath } from './skills.ts'
import { TOOL_LISTING_PATH, ToolListing, toolListing, toolListingAddress } from './tool-listing.ts'

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const robots = (site_url: string) =>
  `User-agent: *\nDisallow: /api/\nDisallow: /mcp\nAllow: /\n\nSitemap: ${site_url}/sitemap.xml\n`

const LLMS_DESCRIPTION = 'What the service offers and where, in Markdown (llmstxt.org). No key is needed.'
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
    { version, headers, schema = {} }: DocumentOptions = {},
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
  add('/.well-known/security.txt', PLAIN, () => security(clock()), { version: day })

  add('/llms.txt', PLAIN, () => llmsText(catalogue, urls, airports), {
    schema: described('getLlmsIndex', 'The index for agents', LLMS_DESCRIPTION, 'text/plain', z.string()),
  })
  addJson('/openapi.json', () => app.swagger())
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
  for (const path of ['', '/mcp']) {
    const url = `/.well-known/oauth-protected-resource${path}`
    addJson(url, () => resource)
    // It is the first that a client requests, with the header MCP-Protocol-Version.
    addPreflightOfClients(app, url, 'GET')
  }
}

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

/** The package that holds `holdshort mcp`. */
const PACKAGE = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as { name: string; version: string }

const SERVER_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/**
 * The description of the MCP server for registries (server.json, schema of 2025-12-11): this service, and the command that hosts start
 * themselves. The operator can publish it as served; a registry takes `packages` from the owner of the package alone.
 */
function serverJson(settings: Settings) {
  const { site_url, mcp_url } = addresses(settings)
  return {
    $schema: SERVER_SCHEMA,
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
    packages: [
      {
        registryType: 'npm',
        identifier: PACKAGE.name,
        version: PACKAGE.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          { type: 'named', name: '--service', value: mcp_url },
        ],
        environmentVariables: [
          {
            name: 'HOLDSHORT_KEY',
            description: `An API key of the service (POST ${site_url}/api/agent/register returns a free one).`,
            placeholder: 'hs_agent_…',
            isRequired: true,
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

/** The media type of the catalog, with the profile that RFC 9727 requires. */
const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** The catalog of the APIs of this site (RFC 9727) as JSON text, and its `Link` header. */
function apiCatalog({ site_url, base_url, mcp_url }: Addresses, hasOpenData: boolean): { text: string; link: string } {
  const catalog = `${site_url}/.well-known/api-catalog`
  const mcp = `${mcp_url}/mcp`
  const shared = {
    'service-doc': [{ href: `${site_url}/llms.txt`, type: 'text/plain' }],
    status: [{ href: `${site_url}/status`, type: 'application/json' }],
  }
  const data = `${site_url}/data`
  const openData = {
    anchor: data,
    describedby: [{ href: `${data}/datapackage.json`, type: 'application/json' }],
    'service-meta': [{ href: `${data}/manifest.json`, type: 'application/json' }],
    'service-doc': [
      { href: data, type: 'text/html' },
      { href: `${data}/README.md`, type: 'text/markdown' },
    ],
  }
  const linkset = [
    { anchor: catalog, item: [base_url, mcp, ...(hasOpenData ? [data] : [])].map((href) => ({ href })) },
    { anchor: base_url, 'service-desc': [{ href: `${site_url}/openapi.json`, type: 'application/json' }], ...shared },
    {
      anchor: mcp,
      'service-desc': [
        { href: `${site_url}/server.json`, type: 'application/json' },
        { href: toolListingAddress({ mcp_url }), type: 'application/json' },
      ],
      'service-meta': [{ href: `${mcp_url}/.well-known/oauth-protected-resource/mcp`, type: 'application/json' }],
      ...shared,
    },
    ...(hasOpenData ? [openData] : []),
  ]
  const link = `<${catalog}>; rel="api-catalog", <${base_url}>; rel="item", <${mcp}>; rel="item"`
  return { text: JSON.stringify({ linkset }), link }
}

const link = z.url()

/** The root of the REST API: the address of its description, and its operations. */
const ApiIndex = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    description: link.describe('The OpenAPI 3.1 document.'),
    documentation: link.describe('What the service offers and where, for people and agents.'),
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

function apiIndex({ queries }: SiteCatalogue, { site_url, base_url }: Addresses): z.output<typeof ApiIndex> {
  return {
    name: 'Holdshort airport wait-time and delay API',
    version: '1.0.0',
    description: `${site_url}/openapi.json`,
    documentation: `${site_url}/llms.txt`,
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

const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** The index of skills in the form of the Agent Skills discovery draft 0.2.0. */
const SkillIndex = z
  .strictObject({
    $schema: z.literal(SKILLS_SCHEMA),
    skills: z.array(
      z.strictObject({
        name: z.string(),
        type: z.literal('skill-md'),
        description: z.string(),
        url: z.url(),
        digest: z
          .string()
          .regex(/^sha256:[0-9a-f]{64}$/)
          .describe('SHA-256 of the bytes at `url`, before any compression.'),
      }),
    ),
  })
  .meta({ id: 'SkillIndex' })

function skillIndex(catalogue: SiteCatalogue, addresses: Addresses): z.output<typeof SkillIndex> {
  const skills = SKILLS.map((name) => {
    const file = skillFile(name, addresses, catalogue)
    return {
      name,
      type: 'skill-md' as const,
      description: skillParts(file).description,
      url: addresses.site_url + skillPath(name),
      digest: `sha256:${createHash('sha256').update(file).digest('hex')}`,
    }
  })
  return { $schema: SKILLS_SCHEMA, skills }
}
