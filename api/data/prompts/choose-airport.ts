import { z } from 'zod'
import type { Airport, Directory } from '../../../config/airports/directory.ts'
import { ParameterError } from '../../../config/errors.ts'
import { searchAirports } from '../queries/airport-search.ts'
import { metroOf } from '../queries/metro-of.ts'
import { definePrompt, type PromptStep } from './define.ts'

/** As many as `compare_airports` takes. */
const MOST_AIRPORTS = 5

/** Codes of a city's airports with scheduled flights, the busiest or best match first. */
function airportsOf(city: string, directory: Directory): string[] {
  const ofMetro = metroOf(city)?.airports ?? []
  const [nearest, ...others] = searchAirports(directory, city)
  const ofCity = nearest ? [nearest, ...others.filter((other) => isOfCity(other, nearest))] : []
  const found = ofMetro.length > 0 ? ofMetro.flatMap(({ iata }) => directory.byIata.get(iata) ?? []) : ofCity
  return found.filter(({ scheduled_service }) => scheduled_service).map(({ iata }) => iata)
}

/** Not by the name alone: there is a Springfield in many a state. */
const isOfCity = (one: Airport, other: Airport) =>
  one.city === other.city && one.country === other.country && one.region === other.region

export const chooseAirportPrompt = definePrompt({
  name: 'choose_airport',
  title: 'Choose between the airports of a city',
  description: 'Compares waits, delays and weather of the airports of one city.',
  input: z.strictObject({
    city: z
      .string()
      .trim()
      .min(1, 'must name a city')
      .max(100, 'must have at most 100 characters')
      .describe('Name or code of the city, like London, New York or NYC.'),
  }),
  completes: { city: 'city' },
  example: { city: 'New York' },
  plan({ city }, { directory }) {
    const codes = airportsOf(city, directory)
    if (codes.length === 0)
      throw new ParameterError([{ parameter: 'city', message: `no airport with scheduled flights matches ${city}` }])
    const compared = codes.slice(0, MOST_AIRPORTS)
    const search = { tool: 'search_airports', arguments: { query: city }, purpose: 'see which airports it has' }
    const steps: PromptStep[] = [
      search,
      ...(compared.length > 1
        ? [{ tool: 'compare_airports', arguments: { airports: compared }, purpose: 'set them side by side' }]
        : []),
      ...compared.map((iata) => ({
        tool: 'get_airport_overview',
        arguments: { iata },
        purpose: `know what holds ${iata} up`,
      })),
    ]
    return {
      task: `Help me choose between the airports of ${city}.`,
      steps,
      answer:
        'Then name the one you would take and why, or say that the figures do not decide it: where `comparable` is false, no airport may be called faster. What the way to each of them costs is not known here: ask me. A far-off date is not told by what is so now.',
    }
  },
})
