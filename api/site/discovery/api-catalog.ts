import type { Addresses } from '../../../config/settings.ts'
import { toolListingAddress } from './tool-listing.ts'

/** The media type of the catalog, with the profile that RFC 9727 requires. */
export const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** The catalog of the APIs of this site (RFC 9727) as JSON text, and its `Link` header. */
export function apiCatalog({ site_url, base_url, mcp_url }: Addresses): { text: string; link: string } {
  const catalog = `${site_url}/.well-known/api-catalog`
  const mcp = `${mcp_url}/mcp`
  const shared = {
    'service-doc': ['llms.txt', 'llms-full.txt'].map((name) => ({ href: `${site_url}/${name}`, type: 'text/plain' })),
    status: [{ href: `${site_url}/status`, type: 'application/json' }],
  }
  const linkset = [
    { anchor: catalog, item: [{ href: base_url }, { href: mcp }] },
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
  ]
  const link = `<${catalog}>; rel="api-catalog", <${base_url}>; rel="item", <${mcp}>; rel="item"`
  return { text: JSON.stringify({ linkset }), link }
}
