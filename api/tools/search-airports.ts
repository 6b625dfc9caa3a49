import { type AirportSearch, type Found, searchAirports } from '../../answers/questions/search-airports.ts'
import { matchReason } from '../../answers/search/match-reason.ts'
import { noFlightsWords } from '../../config/airports/without-flights.ts'
import { defineTool } from './define.ts'

const metroText = ({ code, name, airports, credit }: NonNullable<AirportSearch['metro']>) =>
  `${code} stands for all airports of ${name}: ${airports.join(', ')}${credit ? ` (${credit})` : ''}.`

function airportText(found: Found): string {
  const { iata, icao, name, place, scheduled_service } = found
  const reason = matchReason({ airport: found, ...found })
  const flights = scheduled_service ? '' : ` (${noFlightsWords(iata) ?? 'no scheduled flights'})`
  const line = `${iata}${icao ? ` (${icao})` : ''} ${name}, ${place}${flights}`
  return reason === null ? line : `${line}: ${reason}`
}

function answerText({ airports }: AirportSearch, { metro, total, airports: all, flight }: AirportSearch): string {
  const [best] = all
  const others = airports.slice(1)
  if (flight !== null) return `No airport matches: ${flight}.`
  if (!best)
    return metro
      ? `No airport matches there, though ${metro.code} stands for ${metro.airports.join(', ')}.`
      : 'No airport matches. Try the city, the code, or fewer words.'
  const lines = [`${airportText(best)}.`]
  if (metro) lines.push(metroText(metro))
  if (others.length > 0) lines.push('Others:', ...others.map(airportText))
  const rest = total - all.length
  if (rest > 0) lines.push(`${rest} more match: raise \`limit\`, or add a country or state.`)
  return lines.join('\n')
}

export const searchAirportsTool = defineTool<AirportSearch>({
  name: 'search_airports',
  title: 'Search airports by name, city, IATA or ICAO',
  description:
    'Find airports by any name a traveller uses: airport, city in any language or script, former name, nickname, region, country, IATA, ICAO or FAA code, city code (LON, NYC). Typing errors are tolerated; add a state or country to tell places apart ("Portland Maine"). Use it for the IATA code that the other tools take. `live`: a wait-time source gives a reading now.',
  topics: ['airport'],
  example: { query: 'sao paulo' },
  query: searchAirports,
  limits: { airports: 8 },
  text: answerText,
})
