import { airlineFault } from '../../answers/search/find-airline.ts'
import { findAirports, meantAirport } from '../../answers/search/find-airports.ts'
import type { AirportHit } from '../../answers/search/hits.ts'
import { matchReason } from '../../answers/search/match-reason.ts'
import { readAsText } from '../../answers/search/read-as.ts'
import type { AppDependencies } from '../../api/dependencies.ts'
import type { Airport } from '../../config/airports/directory.ts'
import { ParameterError } from '../../config/errors.ts'
import type { AirportRequest } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import { RowWait, rowOf } from '../airport/wait-card.tsx'
import { AirportLink, airportAddress, placeText } from '../pages/elements.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { AirportSearch, type Page } from '../pages/shell.tsx'

const MAX_LETTERS = 100
/** More suggestions than this are not read while one types. */
const MAX_SUGGESTIONS = 8

/** Adds the search for an airport: `/search?q=` as a page, and `/search.json?q=` for the suggestions while one types. */
export const addSearch: AddPages = (pages, { directory }) => {
  const requestOf = ({ snapshot, now, viewer }: PageInput): RowRequest | null =>
    snapshot && { snapshot, now, viewer, directory }
  pages.get('/search', OPEN_ROUTE, (request, reply) => {
    const query = searchedText(request.query)
    const { airport, choices } = query === '' ? { airport: null, choices: [] } : meantAirport(directory, query)
    // A spelling that was corrected is a question to the traveller.
    const [meant] = choices
    if (airport && meant?.corrected === false) {
      const address = airportAddress(airport.iata)
      return reply.redirect(
        readAsText(meant) === null ? address : `${address}?${new URLSearchParams({ read: query })}`,
        303,
      )
    }
    return sendOpenPage(request, reply, `/search?q=${query}`, (input) => searchPage(query, choices, requestOf(input)))
  })
  pages.get('/search.json', OPEN_ROUTE, (request, reply) => {
    const query = searchedText(request.query)
    return request.server.openAnswers.send(request, reply, {
      key: `/search.json?q=${query}`,
      type: 'application/json; charset=utf-8',
      make: (input) => JSON.stringify({ query, airports: suggestions(query, directory, requestOf(input)) }),
    })
  })
}

/** @throws ParameterError when the text is longer than any name, or given twice */
function searchedText(parameters: unknown): string {
  const { q = '' } = parameters as { q?: unknown }
  if (typeof q === 'string' && q.length <= MAX_LETTERS) return q.trim().replace(/\s+/g, ' ')
  throw ParameterError.of('q', `must be one text of at most ${MAX_LETTERS} characters`)
}

/** The input of a row besides its airport. */
type RowRequest = Omit<AirportRequest, 'airport'>

const cardOfRow = (airport: Airport, request: RowRequest | null) => request && cardOf({ ...request, airport }).shown

function suggestions(query: string, directory: AppDependencies['directory'], request: RowRequest | null) {
  if (query === '') return []
  return findAirports(directory, query)
    .slice(0, MAX_SUGGESTIONS)
    .map((hit) => ({
      iata: hit.airport.iata,
      name: hit.airport.name,
      place: placeOf(hit),
      address: airportAddress(hit.airport.iata),
      wait: rowOf(cardOfRow(hit.airport, request)),
    }))
}

/** The place of an airport, and why it matches if its line does not show that. */
function placeOf(hit: AirportHit): string {
  const reason = hit.matched_by === 'IATA code' ? null : matchReason(hit)
  return [placeText(hit.airport), reason].filter((part) => part !== null).join(' · ')
}

function searchPage(query: string, hits: AirportHit[], request: RowRequest | null): Page {
  if (query === '')
    return {
      title: 'Find an airport',
      search: null,
      body: (
        <>
          <p>By its name, its city in any language, a former name, or a code: IATA, ICAO or FAA.</p>
          <AirportSearch />
        </>
      ),
    }
  const flight = hits[0]?.exact ? null : airlineFault(query)
  const isNothing = hits.length === 0 || flight !== null
  return {
    title: isNothing ? `No airport is called “${query}”` : `Airports for “${query}”`,
    search: query,
    body: isNothing ? <NothingFound flight={flight} /> : <Hits hits={hits} request={request} />,
  }
}

const NothingFound = ({ flight }: { flight: string | null }) => (
  <p>
    {flight !== null && `${flight}. `}Typing errors are tolerated, so try another name: the city, the country’s own name
    of it, or the three letters on a ticket. The <a href="/">map</a> shows every airport.
  </p>
)

const Hits = ({ hits, request }: { hits: AirportHit[]; request: RowRequest | null }) => (
  <>
    <p class="quiet">
      {hits.length === 1 ? '1 airport' : `${hits.length} airports`}, the likeliest first.
      {hits[0]?.corrected === true && ' Nothing is called exactly so; these names are near.'}
    </p>
    <ul class="hits">
      {hits.map((hit) => (
        <li>
          <AirportLink airport={hit.airport} about={<small>{placeOf(hit)}</small>}>
            <RowWait card={cardOfRow(hit.airport, request)} />
          </AirportLink>
        </li>
      ))}
    </ul>
  </>
)
