import { z } from 'zod'
import { Runway } from '../../../config/airports/directory.ts'
import { CLOSED_REASON, nullableMinutes, provenance } from '../../../config/facts.ts'
import { quoted } from '../../../config/outside-text.ts'
import { AirportEntry, airportEntry } from '../queries/airport-entry.ts'
import { airportTerminals, NamedTerminal, terminalsCredit } from '../queries/airport-terminals.ts'
import { ArrivalImmigration, arrivalImmigration } from '../queries/arrival-immigration.ts'
import { defineQuery } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { delayFields, Weather, weatherAt } from '../queries/get-delays.ts'
import { clockOf, localTime } from '../queries/local-time.ts'
import { securityEstimate, securityEstimateFields } from '../queries/queue-waits.ts'
import { iata, notice, simulated, timestamp } from '../queries/shared-fields.ts'
import { BriefSecurity, briefSecurity } from './brief-security.ts'
import { defineTool, READ_ONLY } from './define.ts'
import { delayLines } from './delay-text.ts'
import { offsetOf } from './forecast-summary.ts'
import { ageText, basisText, closedText, countText, ifOpenText, sentenceOf } from './text.ts'
import { skyText } from './weather-text.ts'

const output = z.strictObject({
  airport: AirportEntry,
  timestamp,
  security: z
    .strictObject({ average_wait_minutes: nullableMinutes, ...securityEstimateFields })
    .describe('Current security wait of the whole airport.'),
  immigration: ArrivalImmigration.describe(
    'Passport control of arrivals; at Schengen airports, of those who enter the area.',
  ),
  terminals: z.array(NamedTerminal).describe('Known terminals, never complete; empty: not known.'),
  terminals_credit: z.string().nullable().describe('Credits required for the terminals; null: none.'),
  runways: z.array(Runway).describe('Longest first; empty: not known.'),
  runway_count: z.int().min(1).nullable().describe('Null: no source counts them.'),
  longest_runway_ft: z.number().nullable(),
  delays: z.strictObject({ ...delayFields, ...provenance }),
  weather: Weather.nullable(),
  notice,
  simulated,
})
type Answer = z.output<typeof output>

const description =
  'An airport: location, time zone, current security wait (with basis and age), passport control of arrivals, terminals, runways, FAA delays and weather. Use it first for a question about one airport.'

const query = defineQuery({
  name: 'getAirportOverview',
  summary: 'Location, security wait, passport control, terminals, runways, delays and weather of an airport',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({ iata }),
  output,
  answer(input, context) {
    const airport = findAirport(input.iata, context)
    const { snapshot } = context
    const { wait_minutes: average_wait_minutes, ...security } = securityEstimate(airport.iata, context)
    const terminals = airportTerminals(airport.iata, snapshot)
    return {
      airport: airportEntry(airport, snapshot),
      timestamp: snapshot.generated_at,
      security: { average_wait_minutes, ...security },
      immigration: arrivalImmigration(airport, context),
      terminals,
      terminals_credit: terminalsCredit(airport.iata, terminals),
      runways: airport.runways,
      runway_count: airport.runways.length || null,
      longest_runway_ft: airport.longest_runway_ft,
      delays: snapshot.delays(airport.iata),
      weather: weatherAt(airport.icao, context),
      simulated: snapshot.simulated,
    }
  },
})

const { supported, status, summary } = delayFields

const BriefImmigration = ArrivalImmigration.omit({ probability: true, note: true }).extend({
  longest: ArrivalImmigration.shape.longest.unwrap().omit({ time: true, source: true }).nullable(),
})

const BriefOverview = z.strictObject({
  recommendation: z.string().describe('What matters most there now.'),
  airport: AirportEntry.pick({
    iata: true,
    icao: true,
    name: true,
    city: true,
    country: true,
    latitude: true,
    longitude: true,
    timezone: true,
    scheduled_service: true,
    live: true,
  }),
  local_now: z.string().describe('The time there, with its offset.'),
  timestamp,
  security: BriefSecurity.omit({ wait_minutes: true }).extend({ average_wait_minutes: nullableMinutes }),
  immigration: BriefImmigration,
  terminals: z.array(NamedTerminal.omit({ caution: true })),
  terminals_credit: z.string().nullable(),
  runway_count: z.int().nullable(),
  longest_runway_ft: z.number().nullable(),
  delays: z.strictObject({
    supported,
    status,
    summary,
    details: z.array(z.string()).describe('Each program and closure in a sentence.'),
    ...provenance,
  }),
  weather: z
    .strictObject({
      summary: z.string(),
      ...Weather.pick({
        flight_category: true,
        observed_at: true,
        age_seconds: true,
        source: true,
        freshness: true,
        basis: true,
      }).shape,
    })
    .nullable(),
  simulated,
})
type BriefOverview = z.output<typeof BriefOverview>

function briefOf(answer: Answer): BriefOverview {
  const { airport, timestamp, security, terminals, terminals_credit, runway_count, longest_runway_ft } = answer
  const { iata: code, icao, name, city, country, latitude, longitude, timezone, scheduled_service, live } = airport
  const { average_wait_minutes, ...estimate } = security
  const { wait_minutes, ...brief } = BriefSecurity.parse(
    briefSecurity({ wait_minutes: average_wait_minutes, ...estimate }),
  )
  const { programs: _programs, closures: _closures, ...delays } = answer.delays
  const { weather, simulated } = answer
  return {
    recommendation: recommendationOf(answer),
    airport: { iata: code, icao, name, city, country, latitude, longitude, timezone, scheduled_service, live },
    local_now: localTime(Date.parse(timestamp), timezone),
    timestamp,
    security: { average_wait_minutes: wait_minutes, ...brief },
    immigration: briefImmigration(answer.immigration),
    terminals: terminals.map(({ terminal, told_by, as_of }) => ({ terminal, told_by, as_of })),
    terminals_credit,
    runway_count,
    longest_runway_ft,
    delays: {
      ...delays,
      details: delayLines({ airport: code, ...answer.delays }, timestamp).slice(1),
    },
    weather: weather && {
      summary: skyText(weather),
      flight_category: weather.flight_category,
      observed_at: weather.observed_at,
      age_seconds: weather.age_seconds,
      source: weather.source,
      freshness: weather.freshness,
      basis: weather.basis,
    },
    simulated,
  }
}

function briefImmigration(wait: Answer['immigration']): BriefOverview['immigration'] {
  const { probability: _probability, note: _note, longest, ...brief } = wait
  if (longest === null) return { ...brief, longest }
  const { time: _time, source: _source, ...hour } = longest
  return { ...brief, longest: hour }
}

/** From this wait on, in minutes, the queue is the first thing to know. */
const LONG_WAIT_MINUTES = 30

/** What matters most: a closure or stop of flights, closed security, a long queue, bad weather, in this order. */
function recommendationOf({ airport, timestamp, security, delays, weather }: Answer): string {
  const { iata: code, timezone } = airport
  const urgent = ['closed', 'ground_stop', 'ground_delay'].includes(delays.status)
  const parts = [
    urgent && delayLines({ airport: code, ...delays }, timestamp)[0],
    security.status === 'closed' && `Security is ${closedText(security, timezone)}.`,
    security.average_wait_minutes !== null &&
      security.average_wait_minutes >= LONG_WAIT_MINUTES &&
      `Long queue: allow ${security.average_wait_minutes} min or more for security (${basisText(security)}).`,
    delays.status === 'minor_delay' && delays.summary,
    (weather?.flight_category === 'IFR' || weather?.flight_category === 'LIFR') &&
      `Low cloud or poor visibility (${weather.flight_category}): delays are likely.`,
  ].filter((part) => typeof part === 'string')
  if (parts.length > 0) return parts.join(' ')
  if (security.average_wait_minutes === null && delays.status === 'unknown')
    return airport.scheduled_service
      ? `Neither waits nor delays are known at ${code} now: ask the airline, and plan with get_best_time_to_fly.`
      : `Neither waits nor delays are known at ${code}, which has no scheduled flights: ask the airfield.`
  const isIfOpen = ifOpenText(security, timezone, timestamp) !== ''
  const queue = isIfOpen ? 'whether security is open at this hour is not known' : 'no long queue'
  const wait = security.average_wait_minutes === null ? 'the security wait is not known' : queue
  const flights = delays.status === 'normal' ? 'the FAA lists no delay' : 'delays not known'
  return `Nothing unusual at ${code} now: ${wait}; ${flights}.`
}

function securityText(
  { average_wait_minutes, unavailable_reason, ...wait }: BriefOverview['security'],
  timezone: string,
  now: string,
) {
  if (wait.status === 'closed') {
    const opens =
      wait.reopens_at === null
        ? 'when it opens is not known'
        : `opens about ${clockOf(localTime(Date.parse(wait.reopens_at), timezone))} local time`
    return `Security: closed (${basisText(wait)}); ${opens}.`
  }
  if (average_wait_minutes === null)
    return `Security wait not known${unavailable_reason === null ? '' : `: ${unavailable_reason}`}.`
  return `Security: about ${countText(average_wait_minutes, 'minute')}${ifOpenText(wait, timezone, now)} (${basisText(wait)}).`
}

/** Passport control of arrivals now, and when it takes longest; nothing where it has no figure. */
function immigrationText({ longest, ...wait }: BriefOverview['immigration']): string[] {
  if (wait.wait_minutes === null && longest === null)
    return wait.unavailable_reason === CLOSED_REASON ? ['Passport control for arrivals: closed now.'] : []
  const unknown =
    wait.unavailable_reason === CLOSED_REASON ? 'Closed now.' : sentenceOf(`not known now: ${wait.unavailable_reason}`)
  const now =
    wait.wait_minutes === null ? unknown : `About ${countText(wait.wait_minutes, 'minute')} now (${basisText(wait)}).`
  const basis = longest?.basis === wait.basis ? '' : `, ${longest?.basis}`
  const isLonger = longest !== null && longest.wait_minutes > (wait.wait_minutes ?? 0)
  const later =
    longest &&
    `${isLonger ? 'Longest of the next 24 hours:' : 'Not longer in the next 24 hours: at most'} ${longest.wait_minutes} min at ${clockOf(longest.local_time)} (${longest.low} to ${longest.high} min in 80 %${basis}).`
  return [['Passport control for arrivals:', now, later].filter(Boolean).join(' ')]
}

/** The known terminals: those of a page with its date, those of the map alone marked as not checked. */
function terminalsText({ terminals, terminals_credit: credit }: BriefOverview, total: number): string {
  if (total === 0) return 'Terminals not known.'
  // A date, or its lack, is said once behind all terminals that share it.
  const groups = new Map<string, string[]>()
  for (const { terminal, told_by: namedBy, as_of } of terminals) {
    const isOfPage = namedBy.includes('facts')
    const ofPage = as_of === null ? 'from pages without a date' : `as of ${as_of}`
    const elsewhere = namedBy.includes('feed') ? '' : 'map, not checked'
    const origin = isOfPage ? ofPage : elsewhere
    const name = isOfPage ? terminal : quoted(terminal)
    const group = groups.get(origin)
    if (group) group.push(name)
    else groups.set(origin, [name])
  }
  const shown = [...groups]
    .map(([origin, names]) => names.join(', ') + (origin === '' ? '' : ` (${origin})`))
    .join(', ')
  const rest = total - terminals.length
  const listed =
    shown === '' ? `${rest} not listed here` : [shown, ...(rest === 0 ? [] : [`${rest} more`])].join(' and ')
  return `Known terminals, possibly not all: ${listed}.${credit === null ? '' : ` ${credit}.`}`
}

/** How many runways there are and the longest; the longest alone where no source counts them. */
function runwaysText({ runway_count, longest_runway_ft }: BriefOverview): string {
  const longest = longest_runway_ft === null ? '' : `the longest ${longest_runway_ft} ft`
  if (runway_count === null) return `Number of runways not known${longest && `, ${longest}`}`
  if (runway_count === 1) return `1 runway${longest_runway_ft === null ? '' : ` of ${longest_runway_ft} ft`}`
  return `${countText(runway_count, 'runway')}${longest && `, ${longest}`}`
}

function answerText(answer: BriefOverview, whole: BriefOverview): string {
  const { recommendation, airport, local_now, security, delays, weather } = answer
  const place = [airport.city, airport.country].filter(Boolean).join(', ')
  const delaysAge = delays.age_seconds === null ? '' : ` (read ${ageText(delays.age_seconds)} ago)`
  return [
    recommendation,
    `${airport.name} (${airport.iata}), ${place}; ${clockOf(local_now)} there (${offsetOf(local_now)}, ${airport.timezone}).`,
    securityText(security, airport.timezone, answer.timestamp),
    ...immigrationText(answer.immigration),
    `Delays: ${delays.supported ? delays.status.replaceAll('_', ' ') : 'not known'}. ${delays.summary}${delaysAge}`,
    ...delays.details.map((detail) => `- ${detail}`),
    weather ? `Weather ${ageText(weather.age_seconds)} ago: ${weather.summary}.` : 'No weather report.',
    `${runwaysText(answer)}. ${terminalsText(answer, whole.terminals.length)}`,
  ].join('\n')
}

export const getAirportOverviewTool = defineTool<Answer, BriefOverview>({
  name: 'get_airport_overview',
  title: 'An airport at a glance',
  description,
  annotations: READ_ONLY,
  example: { iata: 'JFK' },
  query,
  brief: { output: BriefOverview, of: briefOf },
  limits: { terminals: 8, 'delays.details': 3 },
  text: answerText,
})
