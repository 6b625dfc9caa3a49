import type { FastifyRequest } from 'fastify'
import type { Airport } from '../../../config/airports/directory.ts'
import { addresses } from '../../../config/settings.ts'
import { type AppDependencies, snapshotOf } from '../../data/dependencies.ts'
import { metroOf } from '../../data/queries/find-airport.ts'
import { findAirports } from '../../data/search/find-airports.ts'
import { leaveByChart } from '../charts/leave-by-chart.ts'
import { pageHeaders, renderDocument } from '../pages/document.tsx'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { Shell } from '../pages/shell.tsx'
import { viewOf } from '../pages/view.ts'
import { airportPage } from './airport-page.tsx'
import { type AirportRequest, viewerOf } from './answers.ts'
import { cityPage, unknownAirportPage } from './city-page.tsx'
import { drawBoth } from './drawn.ts'
import { EMPTY_FORM, hasDeparture, type SentForm, sentForm } from './leave-by-form.tsx'
import { preparationOf } from './prepare.ts'

const HTML = 'text/html; charset=utf-8'
const MAX_SUGGESTIONS = 8

/** Adds `/airports/{iata}`: everything about one airport. */
export const addAirportPage: AddPages = (pages, dependencies) => {
  const { directory, settings, holder, clock = Date.now } = dependencies
  const { site_url } = addresses(settings)
  const preparation = preparationOf(dependencies)

  pages.get('/airports/:iata', { schema: { hide: true } }, async (request, reply) => {
    const { iata: text } = request.params as { iata: string }
    const query = request.query as Record<string, unknown>
    const airport = directory.byIata.get(text)
    if (!airport) {
      const meant = airportOfCode(text, directory)
      if (meant) return reply.redirect(`/airports/${meant.iata}${queryString(request)}`, 308)
      return sendUnknown(request, reply, text)
    }
    const signIn = mustSignIn(request)
    if (signIn !== null) return reply.redirect(signIn, 303)
    const pageOf = async (airportRequest: AirportRequest, form: SentForm) => {
      const [prepared, curve] = await Promise.all([preparation.of(airportRequest), curveOf(form, airportRequest)])
      return airportPage({ request: airportRequest, prepared, form, curve, site_url })
    }
    if (!hasDeparture(query))
      return sendOpenPage(request, reply, `/airports/${airport.iata}`, ({ snapshot, now, access }) =>
        pageOf(requestOf(airport, snapshotOf({ current: () => snapshot }, now), now, request, access), EMPTY_FORM),
      )
    // A plan is made for one visitor, and is never kept.
    request.server.openAnswers.admit(request)
    const now = clock()
    const airportRequest = requestOf(
      airport,
      snapshotOf(holder, now),
      now,
      request,
      request.server.openAnswers.access(request),
    )
    const form = sentForm(query, airportRequest)
    const html = renderDocument(<Shell view={viewOf(request)} page={await pageOf(airportRequest, form)} />)
    return reply
      .code(form.answer ? 200 : 400)
      .headers({ ...pageHeaders(), 'cache-control': 'private, no-store' })
      .type(HTML)
      .send(html)
  })

  const requestOf = (
    airport: Airport,
    snapshot: AirportRequest['snapshot'],
    now: number,
    { visitor }: FastifyRequest,
    access: Parameters<typeof viewerOf>[0],
  ): AirportRequest => ({ airport, viewer: viewerOf(access, visitor !== null), snapshot, directory, now })

  /** Where a stranger signs in, when the operator shows figures to accounts alone; null when he sees them. */
  const mustSignIn = (request: FastifyRequest): string | null =>
    settings.open_pages === 'none' && request.visitor === null
      ? `/sign-in?next=${encodeURIComponent(request.url)}`
      : null

  async function sendUnknown(
    request: FastifyRequest,
    reply: Parameters<Parameters<typeof pages.get>[2]>[1],
    text: string,
  ) {
    request.server.openAnswers.admit(request)
    const metro = /^[A-Za-z]{3}$/.test(text) ? metroOf(text.toUpperCase()) : null
    const airports = (metro?.airports ?? []).flatMap(({ iata }) => directory.byIata.get(iata) ?? [])
    const page =
      metro && metro.metro === text.toUpperCase()
        ? cityPage(metro, airports)
        : unknownAirportPage(text, findAirports(directory, text).slice(0, MAX_SUGGESTIONS))
    const html = renderDocument(<Shell view={viewOf(request)} page={page} />)
    return reply
      .code(page.status ?? 200)
      .headers({ ...pageHeaders(), 'cache-control': 'no-store' })
      .type(HTML)
      .send(html)
  }
}

const queryString = ({ url }: FastifyRequest) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** The airport that a code in another spelling means: in small letters, by ICAO or by the FAA. */
function airportOfCode(text: string, { byIata, byIcao, byFaaId }: AppDependencies['directory']): Airport | null {
  const code = text.trim().toUpperCase()
  return byIata.get(code) ?? byIcao.get(code) ?? byFaaId.get(code) ?? null
}

async function curveOf({ answer }: SentForm, { now }: AirportRequest) {
  if (!answer || answer.curve.length < 2) return null
  const { airport: place, timezone, curve, recommended, confidence, departure } = answer
  return drawBoth((toolkit, layout) =>
    leaveByChart(toolkit, { place, timezone, curve, recommended, confidence, departure, now }, layout),
  )
}
