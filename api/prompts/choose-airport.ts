import { z } from 'zod'
import { metroOf } from '../../answers/questions/find-airport.ts'
import { searchAirports } from '../../answers/search/find-airports.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { ParameterError } from '../../config/errors.ts'
import { withoutMarkup } from '../../config/untrusted-text.ts'
import { definePrompt, type PromptStep } from './define-prompt.ts'

/** The number of airports that `compare_airports` accepts. */
const MAX_AIRPORTS = 5

/** Codes of a city's airports with scheduled flights, the busiest or best match first. */
function airportsOf(city: string, directory: Directory): string[] {
  const airports = airportsOfMetro(city, directory) ?? airportsInCityOfBestMatch(city, directory)
  return airports.filter(({ scheduled_service }) => scheduled_service).map(({ iata }) => iata)
}

const airportsOfMetro = (city: string, { byIata }: Directory): Airport[] | null =>
  metroOf(city)?.airports.flatMap(({ iata }) => byIata.get(iata) ?? []) ?? null

/** The city of the best match may be named in any script, and several of its airports may lie in other towns. */
function airportsInCityOfBestMatch(text: string, directory: Directory): Airport[] {
  const [best, ...others] = searchAirports(directory, text)
  if (!best) return []
  const metro = best.city === null ? null : airportsOfMetro(best.city, directory)
  return metro?.includes(best) ? metro : [best, ...others.filter((other) => isInSameCity(other, best))]
}

/** Compares country and region too, because several states have a Springfield. */
const isInSameCity = (a: Airport, b: Airport) => a.city === b.city && a.country === b.country && a.region === b.region

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
      throw ParameterError.of('city', `no airport with scheduled flights matches ${withoutMarkup(city)}`)
    const compared = codes.slice(0, MAX_AIRPORTS)
    const steps: PromptStep[] = [
      { tool: 'search_airports', arguments: { query: city }, purpose: 'see which airports it has' },
    ]
    if (compared.length > 1)
      steps.push({ tool: 'compare_airports', arguments: { airports: compared }, purpose: 'compare them side by side' })
    for (const iata of compared)
      steps.push({ tool: 'get_airport_overview', arguments: { iata }, purpose: `see what delays flights at ${iata}` })
    return {
      task: `Help me choose between the airports of ${city}.`,
      steps,
      answer:
        'Then name the airport you would choose and why, or say that the figures do not decide it: if `comparable` is false, do not call any airport faster. The travel time to each airport is not known here: ask me. Current figures say nothing about a date that is far away.',
    }
  },
})
