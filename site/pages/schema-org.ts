import type { Airport } from '../../config/airports/directory.ts'

/** The subject of a page in the vocabulary of schema.org, with known values only. */
export type MachineDescription = { '@type': string } & Record<string, unknown>

/** Describes something with the address of the site. */
export type DescribeOnSite = (site_url: string) => MachineDescription

const LICENCE = 'https://www.apache.org/licenses/LICENSE-2.0'

/** The site, with its search. */
export const websiteData: DescribeOnSite = (site_url) => ({
  '@type': 'WebSite',
  '@id': `${site_url}/#site`,
  url: `${site_url}/`,
  name: 'Holdshort',
  description: 'Airport security waits, delays and forecasts, each with its source and age.',
  inLanguage: 'en',
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${site_url}/search?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
})

/** An airport as a place. */
export const airportData =
  ({ iata, icao, name, city, country, latitude, longitude }: Airport): DescribeOnSite =>
  (site_url) => ({
    '@type': 'Airport',
    '@id': `${site_url}/airports/${iata}#airport`,
    url: `${site_url}/airports/${iata}`,
    name,
    iataCode: iata,
    ...(icao !== null && { icaoCode: icao }),
    geo: { '@type': 'GeoCoordinates', latitude, longitude },
    address: {
      '@type': 'PostalAddress',
      ...(city && { addressLocality: city }),
      addressCountry: country,
    },
  })

/** The way to a page: the names of the pages above it, and its own last. */
export const breadcrumbs =
  (steps: readonly (readonly [path: string, name: string])[]): DescribeOnSite =>
  (site_url) => ({
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(([path, name], place) => ({
      '@type': 'ListItem',
      position: place + 1,
      name,
      item: site_url + path,
    })),
  })

interface Dataset {
  path: string
  name: string
  description: string
  files: readonly { type: string; path: string }[]
}

/** Figures that can be downloaded. */
export const datasetData =
  ({ path, name, description, files }: Dataset): DescribeOnSite =>
  (site_url) => ({
    '@type': 'Dataset',
    '@id': `${site_url + path}#data`,
    url: site_url + path,
    name,
    description,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: 'Holdshort', url: `${site_url}/` },
    distribution: files.map((file) => ({
      '@type': 'DataDownload',
      encodingFormat: file.type,
      contentUrl: site_url + file.path,
    })),
  })

/** A page of the documentation. */
export const articleData =
  ({ path, title, description }: Record<'path' | 'title' | 'description', string>): DescribeOnSite =>
  (site_url) => ({
    '@type': 'TechArticle',
    headline: title,
    description,
    url: site_url + path,
    inLanguage: 'en',
    isPartOf: { '@id': `${site_url}/#site` },
  })

/** The service as something that programs use. */
export const apiData: DescribeOnSite = (site_url) => ({
  '@type': 'WebAPI',
  name: 'Holdshort',
  description: 'Airport security waits, delays and forecasts over REST and MCP.',
  url: `${site_url}/docs`,
  documentation: `${site_url}/openapi.json`,
  license: LICENCE,
})
