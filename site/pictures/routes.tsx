import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAirport } from '../../answers/questions/find-airport.ts'
import { chartInClocksOf } from '../../answers/statements/clock-style.ts'
import { localNow } from '../../answers/statements/words.ts'
import { published } from '../../api/dependencies.ts'
import { addresses } from '../../config/addresses.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { PremiumRequiredError } from '../../config/errors.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import { preparationOf } from '../airport/prepare.ts'
import { Card } from '../airport/wait-card.tsx'
import { FILE_STYLE } from '../charts/palette.ts'
import { cachedPng } from '../charts/png.ts'
import { Document, pageHeaders, renderDocument } from '../pages/document.tsx'
import { FORMATS, Sign } from '../pages/elements.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import type { AddPages } from '../pages/page-scope.tsx'
import { SimulatedBanner } from '../pages/shell.tsx'
import { AIRPORT_PICTURES, type AirportPicture, labelOf, type PictureInput } from './airport-pictures.ts'
import { plainBadge, waitBadge } from './badge.tsx'
import { FILE_TYPES, type FileFormat, pictureFile } from './picture-files.ts'
import { shareImage } from './share-image.tsx'

const styleHash = createHash('sha256').update(FILE_STYLE).digest('base64')

/** Nothing in a file runs or loads; these sites may show it in a frame. */
const filePolicy = (frameAncestors: string) =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors ${frameAncestors}`

/** A file of the visitor's own account. */
export const PRIVATE_FILE_HEADERS = {
  'cache-control': 'private, no-store',
  'content-security-policy': filePolicy("'none'"),
}

/** Any site may show a file and read its data; nothing in it runs or loads. */
const FILE_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': filePolicy('*'),
}

/** The options of a route of files that anyone may have: an error is problem+json, not a page, and other sites can read it. */
export const OPEN_FILE = {
  config: { isOpenPage: true, answersPrograms: true } as const,
  onRequest: async (_: FastifyRequest, reply: FastifyReply) => void reply.headers(FILE_HEADERS),
}

interface AirportFile {
  type: string
  make: (input: PictureInput) => string | Buffer | Promise<string | Buffer>
  headers?: Record<string, string>
  /** The parameters that the file depends on, as a query string. */
  parameters?: string
}

/** Adds the files of each airport: its pictures, its badge, the frame for other sites and the picture for previews. */
export const addAirportPictures: AddPages = (pages, dependencies) => {
  const { directory, settings } = dependencies
  const { site_url } = addresses(settings)
  const preparation = preparationOf(dependencies)

  /** @throws HoldshortError AIRPORT_NOT_FOUND, NOT_READY */
  async function pictureInput(request: FastifyRequest, { snapshot, now, viewer }: PageInput): Promise<PictureInput> {
    const { iata } = request.params as { iata: string }
    const airport = findAirport(iata.toUpperCase(), { directory })
    const airportRequest = { airport, viewer, snapshot: published(snapshot), directory, now }
    const query = request.query as Record<string, unknown>
    return { request: airportRequest, prepared: await preparation.prepare(airportRequest), query }
  }

  const keyOf = (request: FastifyRequest) => request.url.split('?')[0]!.toUpperCase()
  const send = (request: FastifyRequest, reply: FastifyReply, { type, make, headers, parameters = '' }: AirportFile) =>
    request.server.openAnswers.send(request, reply, {
      key: `file ${keyOf(request)}${parameters}`,
      type,
      headers,
      make: async (input) => make(await pictureInput(request, input)),
    })

  for (const picture of AIRPORT_PICTURES)
    for (const format of FORMATS)
      pages.get(`/airports/:iata/${picture.name}.${format}`, OPEN_FILE, (request, reply) => {
        const parameters = picture.parameters?.(request.query as Record<string, unknown>) ?? ''
        const make = (input: PictureInput) => fileOf(picture, format, input, site_url)
        const link = format === 'csv' ? { link: `<${picture.name}.json${parameters}>; rel="describedby"` } : {}
        return send(request, reply, { type: FILE_TYPES[format], make, headers: link, parameters })
      })
  pages.get('/airports/:iata/share.png', OPEN_FILE, (request, reply) =>
    send(request, reply, {
      type: 'image/png',
      make: ({ request: airport }) => cachedPng(shareImage(airport)),
    }),
  )
  pages.get('/airports/:iata/badge.svg', OPEN_FILE, (request, reply) => {
    const { iata } = request.params as { iata: string }
    const code = iata.toUpperCase()
    const resolved = resolveCode(code, directory)
    const airport = resolved?.airport
    if (airport)
      return request.server.openAnswers.send(request, reply, {
        key: `file ${keyOf(request)}`,
        type: FILE_TYPES.svg,
        make({ snapshot, now, viewer }) {
          if (!snapshot) return plainBadge(`${airport.iata} security`, 'not known yet')
          const { shown } = cardOf({ airport, viewer, snapshot, directory, now })
          return shown
            ? waitBadge(airport, shown, snapshot.simulated)
            : plainBadge(`${airport.iata} security`, 'sign in to see it')
        },
      })
    // A picture says it better than a broken one.
    const known = /^[A-Z0-9]{1,8}$/.test(code) ? code : 'airport'
    const successor = resolved?.how === 'closed' ? resolved.successor?.iata : undefined
    const text = successor ? `closed, now ${successor}` : 'no such airport'
    return reply.code(404).header('cache-control', 'no-store').type(FILE_TYPES.svg).send(plainBadge(known, text))
  })
  pages.get('/airports/:iata/embed', OPEN_ROUTE, (request, reply) =>
    request.server.openAnswers.send(request, reply, {
      key: `embed ${keyOf(request)}`,
      type: 'text/html; charset=utf-8',
      // The frame loads itself again, so that it stays current without a script.
      headers: { ...pageHeaders({ framed: true }), refresh: '60' },
      make: async (input) => {
        const picture = await pictureInput(request, input)
        return renderDocument(embedDocument(picture.request, site_url))
      },
    }),
  )
}

/** @throws PremiumRequiredError where the visitor does not see the figures, HoldshortError NOT_FOUND where there are none */
async function fileOf(picture: AirportPicture, format: FileFormat, input: PictureInput, site_url: string) {
  const { shown, withheld } = await picture.content(input)
  if (withheld) {
    const tier = withheld.tier === 'enterprise' ? 'enterprise' : 'pro'
    throw new PremiumRequiredError(tier, `${withheld.reason}: sign in with such an account`)
  }
  const file = pictureFile(format, shown, labelOf(picture, input, shown, site_url))
  return format === 'svg' ? chartInClocksOf(input.request.airport.country, file) : file
}

/** The card of an airport for a frame on another site, of the size that the airport's page offers. */
function embedDocument(request: AirportRequest, site_url: string) {
  const { airport, snapshot, now } = request
  const card = cardOf(request).shown
  const { clock, day } = localNow(now, airport.timezone)
  const page = `${site_url}/airports/${airport.iata}`
  return (
    <Document
      title={`${airport.iata}: security wait now`}
      description={`Security wait at ${airport.name}`}
      kind="embed"
      scripts={['clocks']}
      head={<link rel="canonical" href={page} />}
    >
      {snapshot.simulated && <SimulatedBanner />}
      <main>
        <h1>
          <Sign code={airport.iata} /> <bdi>{airport.name}</bdi>
        </h1>
        {card ? <Card card={card} /> : <p>This site shows waits to signed-in people only.</p>}
        <p class="from">
          {clock} local time, {day}.{' '}
          <a href={page} target="_top">
            More at Holdshort
          </a>
        </p>
      </main>
    </Document>
  )
}
