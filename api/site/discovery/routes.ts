import type { FastifyInstance } from 'fastify'
import { DAY_MS } from '../../../config/domain.ts'
import { addresses } from '../../../config/settings.ts'
import type { AppDependencies } from '../../dependencies.ts'
import { llmsText } from '../llms.ts'
import { addText } from '../static-body.ts'
import { apiCatalog, CATALOG_TYPE } from './api-catalog.ts'
import { securityText } from './security-txt.ts'

const PLAIN = 'text/plain; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /mcp\nAllow: /\n'

/** The documents that machines look for, open to pages of any origin. None needs a key. */
export function addDiscoveryRoutes(app: FastifyInstance, dependencies: AppDependencies): void {
  const { settings, directory, clock = Date.now } = dependencies
  const places = addresses(settings)
  const { site_url, mcp_url } = places
  const fixed = () => '1.0.0'
  const add = (url: string, type: string, text: () => string, version = fixed, headers = {}) =>
    addText(
      app,
      { url, type, maxAge: 3_600, headers: { 'access-control-allow-origin': '*', ...headers } },
      version,
      text,
    )

  add('/robots.txt', PLAIN, () => ROBOTS)
  const security = securityText(settings.contact, site_url)
  // It expires, so it is made anew each day.
  if (security)
    add(
      '/.well-known/security.txt',
      PLAIN,
      () => security(clock()),
      () => String(Math.floor(clock() / DAY_MS)),
    )

  add('/llms.txt', PLAIN, () => llmsText({ site_url, mcp_url, airports: directory.all.length }))
  add('/openapi.json', JSON_TYPE, () => JSON.stringify(app.swagger()))
  const catalog = apiCatalog(places)
  add('/.well-known/api-catalog', CATALOG_TYPE, () => catalog.text, fixed, { link: catalog.link })

  const resource = {
    resource: `${mcp_url}/mcp`,
    bearer_methods_supported: ['header'],
    resource_name: 'Holdshort MCP server',
    resource_documentation: `${site_url}/llms.txt`,
  }
  // RFC 9728 puts the path of the resource behind the well-known one; clients ask at both.
  for (const path of ['', '/mcp'])
    add(`/.well-known/oauth-protected-resource${path}`, JSON_TYPE, () => JSON.stringify(resource))
}
