import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HoldshortError, PremiumRequiredError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import { findAirport } from '../../data/queries/find-airport.ts'
import { csvText } from '../../data/rest/csv.ts'
import { type AirportRequest, waitsOf } from '../airport/answers.ts'
import type { PreparedAirport } from '../airport/prepare.ts'
import { preparationOf } from '../airport/prepare.ts'
import { chartFile, chartForPng } from '../charts/frame.tsx'
import { FILE_STYLE } from '../charts/palette.ts'
import { pageHeaders, renderDocument } from '../pages/document.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import type { AddPages } from '../pages/page-scope.tsx'
import {
  AIRPORT_PICTURES,
  type AirportPicture,
  CSV_METADATA,
  csvRows,
  fileTexts,
  metadataOf,
} from './airport-pictures.ts'
import { plainBadge, waitBadge } from './badge.tsx'
import { embedDocument } from './embed.tsx'
import { cachedPng } from './png-cache.ts'
import { shareImage } from './share-image.tsx'

const styleHash = createHash('sha256').update(FILE_STYLE).digest('base64')

/** Any site may show a file and read its data; nothing in it runs or loads. */
export const FILE_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors *`,
}

export const FILE_TYPES = {
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  csv: 'text/csv; charset=utf-8; header=present',
  json: 'application/json; charset=utf-8',
} as const
export type FileFormat = keyof typeof FILE_TYPES

interface Asked {
  request: AirportRequest
  prepared: PreparedAirport
}

/** Adds the files of each airport: its pictures, its badge, the frame for other sites and the picture for previews. */
export const addAirportPictures: AddPages = (pages, dependencies) => {
  const { directory, settings } = dependencies
  const { site_url } = addresses(settings)
  const preparation = preparationOf(dependencies)

  /** @throws HoldshortError AIRPORT_NOT_FOUND, NOT_READY */
  async function asked(request: FastifyRequest, { snapshot, now, viewer }: PageInput): Promise<Asked> {
    const { iata } = request.params as { iata: string }
    const airport = findAirport(iata.toUpperCase(), { directory })
    if (!snapshot) throw new HoldshortError('NOT_READY', 'no snapshot has been published yet; try again shortly')
    const airportRequest = { airport, viewer, snapshot, directory, now }
    return { request: airportRequest, prepared: await preparation.of(airportRequest) }
  }

  const keyOf = (request: FastifyRequest) => request.url.split('?')[0]!.toUpperCase()
  const options = { schema: { hide: true }, config: { isOpenPage: true as const, answersPrograms: true as const } }

  const send = (
    request: FastifyRequest,
    reply: FastifyReply,
    type: string,
    make: (asked: Asked) => string | Buffer | Promise<string | Buffer>,
    headers: Record<string, string> = {},
  ) => {
    // Errors can be read by other sites too.
    reply.headers(FILE_HEADERS)
    return request.server.openAnswers.send(request, reply, {
      key: `file ${keyOf(request)}`,
      type,
      headers: { ...FILE_HEADERS, ...headers },
      make: async (input) => make(await asked(request, input)),
    })
  }

  for (const picture of AIRPORT_PICTURES)
    for (const format of Object.keys(FILE_TYPES) as FileFormat[])
      pages.get(`/airports/:iata/${picture.name}.${format}`, options, (request, reply) => {
        const link = format === 'csv' ? { link: `<${picture.name}.json>; rel="describedby"` } : {}
        return send(request, reply, FILE_TYPES[format], (one) => fileOf(picture, format, one, site_url), link)
      })
  pages.get('/airports/:iata/share.png', options, (request, reply) =>
    send(request, reply, FILE_TYPES.png, ({ request: airport, prepared }) =>
      cachedPng(shareImage(airport, prepared), 1),
    ),
  )
  pages.get('/airports/:iata/badge.svg', options, (request, reply) => {
    const { iata } = request.params as { iata: string }
    const code = iata.toUpperCase()
    const airport = directory.byIata.get(code)
    if (airport)
      return request.server.openAnswers.send(request, reply, {
        key: `file ${keyOf(request)}`,
        type: FILE_TYPES.svg,
        headers: FILE_HEADERS,
        make({ snapshot, now, viewer }) {
          if (!snapshot) return plainBadge(`${code} security`, 'not known yet')
          const { shown } = waitsOf({ airport, viewer, snapshot, directory, now })
          return shown
            ? waitBadge(code, shown.security, snapshot.simulated)
            : plainBadge(`${code} security`, 'sign in to see it')
        },
      })
    // A picture says it better than a broken one.
    const known = /^[A-Z0-9]{1,8}$/.test(code) ? code : 'airport'
    return reply
      .code(404)
      .headers({ ...FILE_HEADERS, 'cache-control': 'no-store' })
      .type(FILE_TYPES.svg)
      .send(plainBadge(known, 'no such airport'))
  })
  pages.get('/airports/:iata/embed', OPEN_ROUTE, (request, reply) =>
    request.server.openAnswers.send(request, reply, {
      key: `embed ${keyOf(request)}`,
      type: 'text/html; charset=utf-8',
      // The frame loads itself again, so that it stays current without a script.
      headers: { ...pageHeaders({ framed: true }), refresh: '60' },
      make: async (input) => {
        const one = await asked(request, input)
        return renderDocument(embedDocument(one.request, one.prepared, site_url))
      },
    }),
  )
}

/** @throws PremiumRequiredError where the visitor does not see the figures */
function fileOf(
  picture: AirportPicture,
  format: FileFormat,
  { request, prepared }: Asked,
  site_url: string,
): string | Promise<Buffer> {
  const { shown, withheld } = picture.content(prepared, request)
  if (withheld) {
    const tier = withheld.tier === 'enterprise' ? 'enterprise' : 'pro'
    throw new PremiumRequiredError(tier, `${withheld.reason}: sign in with such an account`)
  }
  const metadata = metadataOf(picture, shown, request, site_url)
  switch (format) {
    case 'json':
      return JSON.stringify({ ...metadata, rows: shown.rows })
    case 'csv':
      return csvText([...Object.keys(picture.columns), ...CSV_METADATA], csvRows(metadata, shown.rows))
    case 'svg':
      return chartFile(shown.chart, fileTexts(picture, shown, request, site_url))
    case 'png':
      return cachedPng(chartForPng(shown.chart, fileTexts(picture, shown, request, site_url)))
  }
}
