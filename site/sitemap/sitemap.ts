import { addresses } from '../../config/addresses.ts'
import { DOC_ADDRESSES } from '../docs/doc-routes.tsx'
import { addCachedText } from '../pages/cached-text.ts'
import type { AddPages } from '../pages/page-scope.tsx'

/** The protocol allows 50,000 addresses a file; smaller files are read sooner. */
const MAX_ADDRESSES = 5_000
const XML = 'application/xml; charset=utf-8'
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'
const PAGES = ['/', '/delays', '/compare', '/accuracy', '/data', '/status', '/plans']

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const listOf = (kind: 'urlset' | 'sitemapindex', entries: readonly string[]) => {
  const entry = kind === 'urlset' ? 'url' : 'sitemap'
  const lines = entries.map((address) => `<${entry}><loc>${escaped(address)}</loc></${entry}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="${NAMESPACE}">\n${lines.join('\n')}\n</${kind}>\n`
}

/**
 * Adds `/sitemap.xml`, an index of files with every page for people: those of the site, the documentation, and each airport
 * where the operator shows them to everybody.
 */
export const addSitemap: AddPages = (pages, { directory, settings }) => {
  const { site_url } = addresses(settings)
  const airports = settings.open_pages === 'airports' ? directory.all.map(({ iata }) => `/airports/${iata}`) : []
  const parts = Array.from({ length: Math.ceil(airports.length / MAX_ADDRESSES) }, (_, part) =>
    airports.slice(part * MAX_ADDRESSES, (part + 1) * MAX_ADDRESSES),
  )
  const files = new Map<string, () => string[]>([
    ['pages', () => [...PAGES, ...DOC_ADDRESSES]],
    ...parts.map((part, place): [string, () => string[]] => [`airports-${place + 1}`, () => part]),
  ])
  const fixed = () => '1.0.0'
  addCachedText(pages, { url: '/sitemap.xml', type: XML, maxAge: 86_400 }, fixed, () =>
    listOf(
      'sitemapindex',
      [...files.keys()].map((name) => `${site_url}/sitemaps/${name}.xml`),
    ),
  )
  for (const [name, paths] of files)
    addCachedText(pages, { url: `/sitemaps/${name}.xml`, type: XML, maxAge: 86_400 }, fixed, () =>
      listOf(
        'urlset',
        paths().map((path) => site_url + path),
      ),
    )
}
