import type { Delays } from '../questions/get-delays.ts'
import { type AirportDelays, affectsAirlines, type FaaDelays } from '../questions/get-faa-delays.ts'
import { alertLines } from '../statements/alert-news.ts'
import { programInFull } from '../statements/delay-news.ts'
import { delayLines, feedText, TIMES_OF_LISTS } from '../statements/delay-text.ts'
import { agoText } from '../statements/text.ts'
import { skyText } from '../statements/weather-text.ts'

/** The FAA’s delays and closures as a text. */

const HELD_WHERE_THEY_DEPART =
  'A ground stop or ground delay holds flights to the airport where they depart; departures from it may leave as planned.'

/** Whether a program holds flights to the airport on the ground. */
const holdsArrivals = ({ programs }: AirportDelays) =>
  programs.some(({ type }) => type === 'ground_stop' || type === 'ground_delay')

export function faaDelaysText({ airports, flow_programs, ...shown }: FaaDelays, whole: FaaDelays): string {
  const { timestamp, summary, no_flights, ...feed } = shown
  const [only] = whole.airports
  const lines =
    only && whole.airports.length === 1 && only.summary === summary
      ? delayLines({ no_flights, ...(airports[0] ?? only) }, timestamp, { no_flights, ...only })
      : [
          summary,
          ...airports.filter(affectsAirlines).map(({ airport, summary: own }) => `${airport}: ${own}`),
          airports.some(affectsAirlines) && TIMES_OF_LISTS,
          whole.airports.some(holdsArrivals) && HELD_WHERE_THEY_DEPART,
        ]
  const flows = flow_programs.map((program) => {
    const text = programInFull(program, { iata: program.faa_id, timezone: 'UTC' }, Date.parse(timestamp))
    return `${program.faa_id}: ${text}`
  })
  return [...lines, ...flows, feedText(feed)].filter(Boolean).join('\n')
}

/** The delays of one airport, with its weather. */
export function delaysText(answer: Delays, whole: Delays): string {
  const { weather, timestamp } = answer
  const weatherLine = weather && `Weather${agoText(weather.age_seconds)}: ${skyText(weather)}`
  const lines = delayLines(answer, timestamp, whole)
  const alerts = alertLines(answer.weather_alerts, answer.airport, timestamp)
  return [...lines, ...alerts, weatherLine ?? 'No weather report.', feedText(answer)].filter(Boolean).join('\n')
}
