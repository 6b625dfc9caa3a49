import { stringify } from 'csv-stringify/sync'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { HoldshortError } from '../../../config/errors.ts'
import { addresses } from '../../../config/settings.ts'
import { ResponseBody, sendBody } from '../../data/rest/response-body.ts'
import { notFoundError } from '../../data/rest/unknown-routes.ts'
import { pngOf } from '../charts/png.ts'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import type { AddPages } from '../pages/page-scope.tsx'
import { COLOUR_TITLES, type Colour, colourOf, LEGENDS } from './map-colours.ts'
import { type MapEntry, mapEntries } from './map-entries.ts'
import { worldMap } from './world.ts'
import { backgroundsOf, mapFile } from './world-picture.tsx'

const TYPES = {
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const
type FileType = keyof typeof TYPES

const DESCRIPTIONS: Record<Colour, string> = {
  wait: 'Airports whose security wait is observed now, or forecast by a model of their own. Typical waits are left out.',
  freshness: 'The age of the newest reading of the security wait of each airport that has one.',
  delay: 'Airports that the FAA covers, with the gravest of its programs and closures in force.',
}

/** A picture may be shown by pages of any site; as a document it loads nothing and runs nothing. */
const FILE_HEADERS = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Adds the map of the start page as files: `/map.svg`, `.png`, `.csv`, `.json` with `?colour=`, and the backgrounds of maps in pages. */
export const addMapFiles: AddPages = (pages, { directory, settings }) => {
  const { site_url } = addresses(settings)

  pages.get('/assets/maps/:file', { schema: { hide: true } }, (request, reply) =>
    sendBackground(request, reply, (request.params as { file: string }).file),
  )
  const sendBackground = (request: FastifyRequest, reply: FastifyReply, file: string) => {
    const found = Object.values(backgroundsOf(directory)).find(({ name }) => file.startsWith(`${name}.`))
    if (!found) throw notFoundError(request)
    const body = new ResponseBody(found.text, TYPES.svg, 'map', FILE_HEADERS)
    // A page of another version of the service gets the present map rather than none.
    const isPresent = found.address.endsWith(`/${file}`)
    return sendBody(request, reply, body, isPresent ? 'public, max-age=31536000, immutable' : 'no-cache')
  }

  for (const type of Object.keys(TYPES) as FileType[])
    pages.get(`/map.${type}`, OPEN_ROUTE, (request, reply) => {
      const colour = colourOf(request.query)
      const name = `map-${colour}.${type}`
      const disposition = type === 'csv' ? { 'content-disposition': `attachment; filename="${name}"` } : {}
      return request.server.openAnswers.send(request, reply, {
        key: `/map.${type}?colour=${colour}`,
        type: TYPES[type],
        headers: Object.assign({}, FILE_HEADERS, disposition),
        make: ({ snapshot, now, viewer: { currentTier } }) => {
          if (!snapshot) throw new HoldshortError('NOT_READY', 'no snapshot has been published yet; try again shortly')
          const entries = mapEntries(colour, { snapshot, directory, currentTier, now })
          if (!entries)
            throw new HoldshortError(
              'PREMIUM_REQUIRED',
              'waits are shown only to accounts of the Pro tier or higher here',
            )
          const about = {
            title: COLOUR_TITLES[colour],
            description: DESCRIPTIONS[colour],
            unit: colour === 'wait' ? 'minutes' : null,
            made_at: snapshot.generated_at,
            simulated: snapshot.simulated,
            source:
              colour === 'delay' ? 'Federal Aviation Administration' : 'airports and authorities, named in each row',
            licence: 'The terms of each source; the land is of Natural Earth, in the public domain.',
            page: `${site_url}/${colour === 'wait' ? '' : `?colour=${colour}`}`,
          }
          if (type === 'json') return JSON.stringify({ ...about, airports: entries.map(rowOf) })
          if (type === 'csv') return csvOf(about, entries)
          const svg = mapFile({
            directory,
            base: worldMap(),
            title: about.title,
            description: about.description,
            credit: `As of ${about.made_at.slice(0, 16).replace('T', ' ')} UTC · ${about.page} · Land: Natural Earth`,
            legend: LEGENDS[colour],
            entries,
            isSimulated: about.simulated,
            isPixels: type === 'png',
          })
          return type === 'png' ? pngOf(svg, 1) : svg
        },
      })
    })
}

const rowOf = ({ airport, wait_minutes, status, basis, observed_at, age_seconds, source, freshness }: MapEntry) => ({
  airport: airport.iata,
  name: airport.name,
  country: airport.country,
  latitude: airport.latitude,
  longitude: airport.longitude,
  wait_minutes,
  status,
  basis,
  observed_at,
  age_seconds,
  source,
  freshness,
})

/** The rows, with what they are about in the last columns, so that a row alone says it too. */
function csvOf({ made_at, simulated }: { made_at: string; simulated: boolean }, entries: readonly MapEntry[]): string {
  const rows = entries.map((entry) => Object.assign(rowOf(entry), { made_at, simulated }))
  return stringify(rows, { header: true, escape_formulas: true, cast: { boolean: String } })
}
