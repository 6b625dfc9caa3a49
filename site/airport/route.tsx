import type { FastifyReply, FastifyRequest } from 'fastify'
import { metroOf } from '../../answers/questions/find-airport.ts'
import { findAirports } from '../../answers/search/find-airports.ts'
import { readingOf } from '../../answers/search/read-as.ts'
import { similarCodes } from '../../answers/search/similar-codes.ts'
import { type AppDependencies, snapshotOf } from '../../api/dependencies.ts'
import { addresses } from '../../config/addresses.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { resolveCode } from '../../config/airports/resolve-code.ts'
import { sendPage } from '../pages/frame.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { viewerOf } from '../pages/viewer.ts'
import { AIRPORT_STYLE } from '../style/index.ts'
import { airportPage } from './airport-page.tsx'
import type { AirportRequest } from './answers.ts'
import { cityPage, closedAirportPage, unknownAirportPage } from './city-page.tsx'
import { drawCurve } from './drawn.ts'
import { EMPTY_FORM, hasDeparture, type SentForm, sentForm } from './leave-by-form.tsx'
import { preparationOf } from './prepare.ts'

const MAX_SUGGESTIONS = 8

/** Adds `/airports/{iata}`: everything about one airport. */
export const addAirportPage: AddPages = (pages, dependencies) => {
  const { directory, settings, holder, clock = Date.now } = dependencies
  const { site_url } = addresses(settings)
  const preparation = preparationOf(dependencies)

  const pageOf = async (request: AirportRequest, form: SentForm, reading: string | null) => {
    const [prepared, curve] = await Promise.all([
      preparation.prepare(request),
      form.answer && drawCurve(form.answer, request.now),
    ])
    return airportPage({ request, prepared, form, curve, reading, site_url })
  }

  pages.get('/airports/:iata', OPEN_ROUTE, async (request, reply) => {
    const { iata: text } = request.params as { iata: string }
    const query = request.query as Record<string, unknown>
    const airport = directory.byIata.get(text)
    if (!airport) {
      const resolved = resolveCode(text, directory)
      if (resolved?.airport) return reply.redirect(`/airports/${resolved.airport.iata}${queryString(request)}`, 308)
      return sendUnknown(request, reply, text, directory)
    }
    // The operator shows figures to accounts alone.
    if (settings.open_pages === 'none' && request.visitorFault) throw request.visitorFault
    if (settings.open_pages === 'none' && request.visitor === null)
      return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
    // The search adds the text that led here.
    const reading = readingOf(directory, query['read'], airport.iata)
    if (!hasDeparture(query))
      return sendOpenPage(
        request,
        reply,
        `/airports/${airport.iata} ${reading ?? ''}`,
        ({ snapshot, now, viewer }) =>
          pageOf(
            { airport, viewer, snapshot: snapshotOf({ current: () => snapshot }, now), directory, now },
            EMPTY_FORM,
            reading,
          ),
        AIRPORT_STYLE,
      )
    // A plan is made for one visitor, and is never kept.
    const now = clock()
    const viewer = viewerOf(request, settings)
    const airportRequest = { airport, viewer, snapshot: snapshotOf(holder, now), directory, now }
    const form = sentForm(query, airportRequest)
    const page = await pageOf(airportRequest, form, reading)
    return sendPage(request, reply, form.answer ? page : { ...page, status: 400 })
  })
}

/** The page of a code that no airport has: a choice where it is that of a city, else what may have been meant. */
function sendUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  directory: AppDependencies['directory'],
) {
  const resolved = resolveCode(text, directory)
  const waitsOf = ({ snapshot, now, viewer }: PageInput) => snapshot && { snapshot, now, viewer, directory }
  if (resolved?.how === 'closed')
    return sendOpenPage(request, reply.code(404), `/airports/${text.toUpperCase()} closed`, (input) =>
      closedAirportPage(resolved.notice, resolved.successor, waitsOf(input)),
    )
  const metro = metroOf(text)
  if (metro?.metro !== text.toUpperCase())
    return sendPage(request, reply, unknownAirportPage(text, suggestionsFor(text, directory)))
  const airports = metro.airports.flatMap(({ iata }) => directory.byIata.get(iata) ?? [])
  return sendOpenPage(request, reply, `/airports/${metro.metro} city`, (input) =>
    cityPage(metro, airports, waitsOf(input)),
  )
}

/** Suggestions for a wrong code: airports that the search finds, and those of similar codes. */
function suggestionsFor(text: string, directory: AppDependencies['directory']): Airport[] {
  const found = findAirports(directory, text).map(({ airport }) => airport)
  return [...new Set([...found.slice(0, MAX_SUGGESTIONS - 3), ...similarCodes(text, directory)])].slice(
    0,
    MAX_SUGGESTIONS,
  )
}

const queryString = ({ url }: FastifyRequest) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')
