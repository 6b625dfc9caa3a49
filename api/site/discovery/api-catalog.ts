import type { Addresses } from '../../../config/addresses.ts'
import { toolListingAddress } from './tool-listing.ts'

/** The media type of the catalog, with the profile that RFC 9727 requires. */
export const CATALOG_TYPE = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'

/** The catalog of the APIs of this site (RFC 9727) as JSON text, and its `Link` header. */
export function apiCatalog(
  { site_url, base_url, mcp_url }: Addresses,
  hasOpenData: boolean,
): { text: string; link: string } {
  const catalog = `${site_url}/.well-known/api-catalog`
  const mcp = `${mcp_url}/mcp`
  const shared = {
    'service-doc': ['llms.txt', 'llms-full.txt'].map((name) => ({ href: `${site_url}/${name}`, type: 'text/plain' })),
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
