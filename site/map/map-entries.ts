import { delaysAt } from '../../answers/questions/get-delays.ts'
import { forecastHourOf, granularityOf, shownQueueWait } from '../../answers/questions/queue-waits.ts'
import { type AirportClosure, closedToAirlines, closureText } from '../../answers/statements/closure.ts'
import { rangeOf } from '../../answers/statements/spread.ts'
import { mappedQueue } from '../../answers/statements/wait.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { Instant, type Provenance, type QueueWait } from '../../config/answer-schemas.ts'
import type { Tier } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { CLOSED_STYLE, type Colour, DELAY_STYLES, FORECAST_STYLE, type MarkStyle, waitStyle } from './map-colours.ts'

/** An airport whose figure the map shows. */
export interface MapEntry extends Provenance {
  airport: Airport
  /** Minutes; null when closed, and for delays. */
  wait_minutes: number | null
  /** The shortest and longest wait of its terminals in minutes; null when closed, and for delays. */
  range: { low: number; high: number } | null
  /** The state in a word: open, closed, ground_stop. */
  status: string
  /** The figure in words. */
  figure: string
  /** The same with how it is known. */
  text: string
  style: MarkStyle
}

export interface MapInput {
  snapshot: Snapshot
  directory: Directory
  /** The tier for the waits of airports as a whole; null if the operator does not show them. */
  currentTier: Tier | null
  now: number
}

/** The airports with a figure of their own for a colour; null if the viewer may not see it. */
export function mapEntries(colour: Colour, input: MapInput): MapEntry[] | null {
  if (colour === 'delay') return delayEntries(input)
  if (input.currentTier === null) return null
  return waitEntries(input, input.currentTier)
}

/** Airports whose security wait or closure is observed, or forecast by a model of their own. Every airport has a typical wait. */
function waitEntries({ snapshot, directory, now }: MapInput, tier: Tier): MapEntry[] {
  return directory.all.flatMap((airport) => {
    if (!snapshot.mayHaveOwnWait(airport.iata, 'security')) return []
    // Uses the same figures as the answer about waiting times, without its other parts.
    const queue = snapshot.queue(airport.iata, 'security')
    const wait = shownQueueWait(queue, granularityOf(tier))
    const hasOwn = wait.basis !== null && wait.basis !== 'typical' && wait.freshness !== 'expired'
    const delays = snapshot.delays(airport.iata)
    const closure = closedToAirlines(delays.closures, airport.timezone, now)
    const estimate = forecastHourOf(wait, airport.iata, { snapshot, now })
    return hasOwn ? waitEntry(airport, { wait, queue, closure, stated: closure ? delays : wait, estimate }, now) : []
  })
}

interface FiguresOfEntry {
  wait: QueueWait
  queue: QueueWait
  closure: AirportClosure | null
  /** Where the figure is from: of a closure to airlines, who states that. */
  stated: Provenance
  /** The forecast hour of an estimate; null where the wait is observed. */
  estimate: { low: number | null; high: number | null } | null
}

const closedEntry = (closure: AirportClosure) => ({ figure: closureText(closure), text: closureText(closure) })

/** `wait` is what may be shown; `queue` has the terminals behind its words. While airlines are shut out nobody waits. */
function waitEntry(
  airport: Airport,
  { wait, queue, closure, stated, estimate }: FiguresOfEntry,
  now: number,
): MapEntry[] {
  const { average_wait_minutes, status, freshness } = wait
  const range = rangeOf(queue, airport.timezone, now)
  const isClosed = status === 'closed' || closure !== null
  const shown = isClosed ? null : range
  if (shown === null && !isClosed) return []
  const style = () => {
    if (shown === null) return CLOSED_STYLE
    return freshness === null ? FORECAST_STYLE : waitStyle(shown.high)
  }
  return [
    {
      airport,
      wait_minutes: shown === null || average_wait_minutes === null ? null : Math.round(average_wait_minutes),
      range: shown,
      status: isClosed ? 'closed' : status,
      ...(closure === null ? mappedQueue(queue, estimate, airport.timezone, now) : closedEntry(closure)),
      style: style(),
      ...provenanceIn(stated),
    },
  ]
}

/** Airports that the FAA covers or names. */
function delayEntries({ snapshot, directory }: MapInput): MapEntry[] {
  const isReported = ({ iata }: Airport) => {
    const { supported, programs } = snapshot.delays(iata)
    return supported || programs.length > 0
  }
  return directory.all.filter(isReported).map((airport) => {
    const { iata } = airport
    const state = delaysAt(iata, { snapshot, directory })
    const { status, summary } = state
    const style = DELAY_STYLES[status]
    return {
      airport,
      wait_minutes: null,
      range: null,
      status,
      figure: summary,
      text: summary,
      style,
      ...provenanceIn(state),
    }
  })
}

/** The fields of a fact that say where it comes from. */
const provenanceIn = ({ basis, observed_at, age_seconds, source, freshness }: Provenance): Provenance => ({
  basis,
  observed_at: observed_at && Instant.parse(observed_at),
  age_seconds,
  source,
  freshness,
})

/** The columns of a map as a file. */
export const MAP_COLUMNS = {
  airport: 'IATA code.',
  name: 'Name of the airport.',
  country: 'ISO 3166-1 code of the country.',
  latitude: 'Degrees north.',
  longitude: 'Degrees east.',
  wait_minutes: 'Security wait, the average of the open lanes; empty when closed, and for delays.',
  shortest_minutes: 'The shortest wait of its terminals; empty when closed, and for delays.',
  longest_minutes: 'The longest wait of its terminals.',
  status: 'open or closed for waits; the gravest program or closure for delays.',
  basis: 'measured, reported or predicted.',
  observed_at: 'When it was observed (UTC); empty for forecasts.',
  age_seconds: 'Age of the observation at the time of the snapshot.',
  source: 'Id of the source or version of the model.',
  freshness: 'live: under 10 minutes; recent: under 1 hour; stale: under 6 hours.',
}

const rangeIn = (range: MapEntry['range']) => ({
  shortest_minutes: range?.low ?? null,
  longest_minutes: range?.high ?? null,
})

/** An entry as a file has it. */
export const rowOf = (entry: MapEntry): Record<keyof typeof MAP_COLUMNS, unknown> => {
  const { airport, wait_minutes, range, status } = entry
  const { iata, name, country, latitude, longitude } = airport
  return {
    airport: iata,
    name,
    country,
    latitude,
    longitude,
    wait_minutes,
    ...rangeIn(range),
    status,
    ...provenanceIn(entry),
  }
}
