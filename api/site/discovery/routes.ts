import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'
import { DAY_MS } from '../../../config/domain.ts'
import { addresses } from '../../../config/settings.ts'
import type { AppDependencies } from '../../data/dependencies.ts'
import type { OpenApiDocument } from '../../data/rest/openapi-types.ts'
import { COMMON_STATUSES, NOT_MODIFIED, problemResponses } from '../../data/rest/route-schema.ts'
import { addCachedText } from '../pages/cached-text.ts'
import { apiCatalog, CATALOG_TYPE } from './api-catalog.ts'
import { llmsText } from './llms.ts'
import { llmsFullText } from './llms-full.ts'
import { securityText } from './security-txt.ts'
import { serverJson } from './server-json.ts'
import type { SiteCatalogue } from './site-catalogue.ts'
import { SkillIndex, skillIndex } from './skill-index.ts'
import { skillFile, skillPath } from './skills/define.ts'

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const MARKDOWN = 'text/markdown; charset=utf-8'
const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /mcp\nAllow: /\n'

const INDEX = 'What is here and where, in Markdown (llmstxt.org). No key is needed.'
const FULL =
  'Every operation and tool with parameters, errors and examples, tiers and skills, in Markdown. No key is needed.'
const INDEXED =
  'Where each SKILL.md is and the SHA-256 of its bytes, after the Agent Skills discovery draft. No key is needed.'

interface Extra {
  version?: () => string
  headers?: Record<string, string>
  /** Where the document is described in OpenAPI; what standards put in its place is not. */
  schema?: FastifySchema
}

/** The documents that machines look for, open to pages of any origin. None needs a key. */
export function addDiscoveryRoutes(
  app: FastifyInstance,
  catalogue: SiteCatalogue,
  scope: string,
  dependencies: AppDependencies,
): void {
  const { settings, directory, clock = Date.now } = dependencies
  const places = addresses(settings)
  const { site_url, mcp_url } = places
  const airports = directory.all.length
  const add = (
    url: string,
    type: string,
    text: () => string,
    { version, headers, schema = { hide: true } }: Extra = {},
  ) => {
    const open = { 'access-control-allow-origin': '*', ...headers }
    addCachedText(app, { url, type, maxAge: 3_600, headers: open, schema }, version ?? (() => '1.0.0'), text)
  }
  const addJson = (url: string, value: () => unknown, extra?: Extra) =>
    add(url, JSON_TYPE, () => JSON.stringify(value()), extra)

  add('/robots.txt', PLAIN, () => ROBOTS)
  const security = securityText(settings.contact, site_url)
  // It expires, so it is made anew each day.
  const day = () => String(Math.floor(clock() / DAY_MS))
  if (security) add('/.well-known/security.txt', PLAIN, () => security(clock()), { version: day })

  add('/llms.txt', PLAIN, () => llmsText(catalogue, places, airports), {
    schema: described('getLlmsIndex', 'The index for agents', INDEX, 'text/plain', z.string()),
  })
  const document = () => app.swagger() as unknown as OpenApiDocument
  add('/llms-full.txt', PLAIN, () => llmsFullText(catalogue, document(), places, airports), {
    schema: described('getLlmsFull', 'All that an agent needs, in one text', FULL, 'text/plain', z.string()),
  })
  addJson('/openapi.json', document)
  addJson('/server.json', () => serverJson(settings))

  const skills = described('listSkills', 'The skills for agents, with digests', INDEXED, 'application/json', SkillIndex)
  addJson('/.well-known/agent-skills/index.json', () => skillIndex(catalogue, places), { schema: skills })
  for (const skill of catalogue.skills) add(skillPath(skill), MARKDOWN, () => skillFile(skill, places, catalogue))

  const { text, link } = apiCatalog(places)
  add('/.well-known/api-catalog', CATALOG_TYPE, () => text, { headers: { link } })
  const resource = {
    resource: `${mcp_url}/mcp`,
    authorization_servers: [places.auth_url],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Holdshort MCP server',
    resource_documentation: `${site_url}/llms.txt`,
  }
  // RFC 9728 puts the path of the resource behind the well-known one; clients ask at both.
  for (const path of ['', '/mcp']) addJson(`/.well-known/oauth-protected-resource${path}`, () => resource)
}

function described(
  operationId: string,
  summary: string,
  description: string,
  type: string,
  schema: z.ZodType,
): FastifySchema {
  const answered = { description: 'The document.', content: { [type]: { schema } } }
  const response = { 200: answered, 304: NOT_MODIFIED, ...problemResponses(COMMON_STATUSES) }
  return { tags: ['service'], operationId, summary, description, response }
}
