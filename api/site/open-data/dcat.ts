import { LICENCES } from '../../../config/licences.ts'
import type { Manifest } from '../../../warehouse/export/manifest.ts'

export const DCAT_TYPE = 'application/ld+json; charset=utf-8'

const CONTEXT = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  spdx: 'http://spdx.org/rdf/terms#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

const instant = (text: string) => ({ '@type': 'xsd:dateTime', '@value': text })
const link = (address: string) => ({ '@id': address })

/** The open data as a DCAT 3 catalogue (JSON-LD): a dataset a table, a distribution a file. */
export function dcatCatalogue(manifest: Manifest, exportedMs: number, site_url: string) {
  const { title, description, tables, files, licence, credit, sources } = manifest
  const page = `${site_url}/data`
  const publisher = { '@type': 'foaf:Agent', 'foaf:name': credit }
  const modified = instant(new Date(exportedMs).toISOString())
  const licencesOf = (ids: readonly string[], isOwn: boolean) => {
    const ofSources = sources.flatMap((source) => (ids.includes(source.id) ? (source.licence ?? []) : []))
    return [...new Set(isOwn ? [licence] : ofSources)].map((id) => link(LICENCES[id].url))
  }
  return {
    '@context': CONTEXT,
    '@id': `${page}#catalogue`,
    '@type': 'dcat:Catalog',
    'dct:title': title,
    'dct:description': description,
    'dct:publisher': publisher,
    'dct:modified': modified,
    'dcat:landingPage': link(page),
    'foaf:homepage': link(site_url),
    'dcat:dataset': tables
      .filter((table) => table.files > 0)
      .map((table) => {
        const own = files.filter((file) => file.table === table.name)
        const isOwn = table.credit === 'own'
        const licences = licencesOf([...new Set(own.flatMap((file) => file.sources.map(({ id }) => id)))], isOwn)
        return {
          '@id': `${page}#${table.name}`,
          '@type': 'dcat:Dataset',
          'dct:identifier': table.name,
          'dct:title': manifest.simulated ? `SIMULATED: ${table.name}` : table.name,
          'dct:description': table.about,
          'dct:publisher': publisher,
          'dct:license': licences,
          'dct:modified': modified,
          'dcat:landingPage': link(page),
          ...(table.from !== null &&
            table.to !== null && {
              'dct:temporal': {
                '@type': 'dct:PeriodOfTime',
                'dcat:startDate': instant(table.from),
                'dcat:endDate': instant(table.to),
              },
            }),
          'dcat:distribution': own.map((file) => ({
            '@type': 'dcat:Distribution',
            'dct:title': file.path.split('/').at(-1),
            'dcat:downloadURL': link(`${site_url}${file.address}`),
            'dcat:accessURL': link(page),
            'dcat:mediaType': link(`https://www.iana.org/assignments/media-types/${file.media_type}`),
            'dcat:byteSize': { '@type': 'xsd:nonNegativeInteger', '@value': String(file.bytes) },
            'dct:license': licences,
            'spdx:checksum': {
              '@type': 'spdx:Checksum',
              'spdx:algorithm': link('http://spdx.org/rdf/terms#checksumAlgorithm_sha256'),
              'spdx:checksumValue': file.sha256,
            },
          })),
        }
      }),
  }
}
