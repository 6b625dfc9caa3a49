import {
  type CheckpointWait,
  CLOSED_REASON,
  NO_PROVENANCE,
  type QueueWait,
  type SourceFigure,
  type StatusFields,
  type TerminalWait,
  UNKNOWN_STATUS,
} from '../../../config/answer-schemas.ts'
import { mapKeys } from '../../../config/map-keys.ts'
import { normalizeTerminalName } from '../../../config/terminal-name.ts'
import { FRESH_SECONDS, HOUR_MS, isRestrictedLane, type QueueKind } from '../../../config/vocabulary.ts'
import type { CurrentQueue } from '../waits/open-probability.ts'
import { closedByItsHours, type HoursOf, predictedStatus, withHours } from '../waits/status-by-hours.ts'
import { closedWithAirport } from './airport-closures.ts'
import { definePublished } from './define-published.ts'
import type { DelaysIndex } from './delays.ts'
import type { ForecastSeries, ForecastsIndex } from './forecasts.ts'
import { noWaitText, sourcesByAirport } from './no-wait.ts'
import type { OpeningHoursIndex } from './opening-hours.ts'
import { agedStatus, isUnexpired, type ReadTime, withoutFigure } from './read-time.ts'
import type { SourceHealthIndex } from './source-health.ts'

export interface WaitsContent {
  /** The statements of sources only: waits, closures, and queues without a figure; other queues answer from their forecast, or not at all. */
  queues: CurrentQueue[]
  /** Queues for which several sources have a figure: what each says, the first that of the publisher nearest to the queue. */
  source_figures: { iata: string; kind: QueueKind; figures: SourceFigure[] }[]
}

export interface WaitsIndex {
  /** Waits by `<IATA>/<kind>`, as published. */
  publishedWaits: ReadonlyMap<string, QueueWait>
  publishedFigures: ReadonlyMap<string, SourceFigure[]>
}

export const waits = definePublished({
  // A snapshot of an earlier build has no figures by source.
  index: ({ queues, source_figures = [] }: Pick<WaitsContent, 'queues'> & Partial<WaitsContent>): WaitsIndex => ({
    publishedWaits: new Map(queues.map(({ iata, kind, wait }) => [`${iata}/${kind}`, wait])),
    publishedFigures: new Map(source_figures.map(({ iata, kind, figures }) => [`${iata}/${kind}`, figures])),
  }),
  read: (indexes: WaitsIndex & ForecastsIndex & OpeningHoursIndex & DelaysIndex & SourceHealthIndex, time) => ({
    /** Why no source gives a wait of a queue, where none does: a sentence. */
    whyNoWait: (iata: string, kind: QueueKind): string => whyNoWait(indexes, iata, kind),
    /**
     * Whether a queue may have more than a typical value: a reading, learned opening hours or a forecast of its own. It costs
     * little, so that a walk over all airports can begin with it.
     */
    mayHaveOwnWait: (iata: string, kind: QueueKind) =>
      indexes.publishedWaits.has(`${iata}/${kind}`) ||
      indexes.learnedHours(iata, kind) !== null ||
      (kind === 'security' && indexes.airportsWithOwnForecast.has(iata)),
    /** The figures of several sources of a queue, each under an hour old, the nearest publisher first; empty if fewer than two have one. */
    figuresBySource(iata: string, kind: QueueKind): SourceFigure[] {
      const figures = (indexes.publishedFigures.get(`${iata}/${kind}`) ?? [])
        .map(time.aged)
        .filter(({ age_seconds }) => age_seconds < FRESH_SECONDS)
      return figures.length < 2 ? [] : figures
    },
    /**
     * Current wait of a queue; an airport without fresh readings answers from its forecast and says so. While airlines are shut out
     * an unobserved queue is closed.
     */
    queue(iata: string, kind: QueueKind): QueueWait {
      const wait = queueWait(indexes, time, iata, kind)
      const delays = indexes.currentDelayState(iata, time)
      return closedWithAirport(wait, delays.closures, delays, time.atMs) ?? wait
    },
  }),
})

const whyNoWait = (indexes: WaitsIndex & SourceHealthIndex, iata: string, queue: QueueKind): string =>
  noWaitText(
    {
      iata,
      queue,
      sources: sourcesByAirport(indexes.healthBySource).get(iata) ?? [],
      hadWait: indexes.publishedWaits.has(`${iata}/${queue}`),
    },
    ({ attribution }) => attribution,
  )

function queueWait(
  indexes: WaitsIndex & ForecastsIndex & OpeningHoursIndex & SourceHealthIndex,
  time: ReadTime,
  iata: string,
  kind: QueueKind,
): QueueWait {
  const published = indexes.publishedWaits.get(`${iata}/${kind}`)
  const observed = published && unexpiredWait(published, time)
  const hoursOf = (terminal?: string) => indexes.learnedHours(iata, kind, terminal)
  const current = observed ? withHours(observed, hoursOf, time.atMs) : null
  if (current && (current.average_wait_minutes !== null || current.status === 'closed')) return current
  const predicted = predictedStatus(hoursOf(), time.atMs)
  if (predicted.status === 'closed' && (current === null || current.status === 'unknown'))
    return closedByItsHours(predicted)
  const expected = kind === 'security' ? expectedWait(iata, indexes, hoursOf, time.atMs) : null
  const wait = expected ? withObservedLanes(expected, current) : noFigure(current, () => whyNoWait(indexes, iata, kind))
  return withStatus(wait, current && current.status !== 'unknown' ? statusOfQueue(current) : predicted)
}

/** A queue without a figure. The terminals of a source that answered have its state of each. */
const noFigure = (answered: QueueWait | null, whyNone: () => string): QueueWait => ({
  ...withoutFigure(answered?.unavailable_reason ?? whyNone()),
  terminals: answered?.terminals ?? [],
})

/** The expected wait for everybody, beside the observed lanes of others: a source may have no figure of any other. */
function withObservedLanes(expected: QueueWait, observed: QueueWait | null): QueueWait {
  const seen = (observed?.terminals ?? []).filter(({ checkpoints }) =>
    checkpoints.some(({ lane, wait_minutes }) => isRestrictedLane(lane) && wait_minutes !== null),
  )
  if (seen.length === 0) return expected
  const nameOf = ({ terminal }: TerminalWait) => normalizeTerminalName(terminal)
  const checkpointsOf = new Map(seen.map((terminal) => [nameOf(terminal), terminal.checkpoints]))
  const named = new Set(expected.terminals.map(nameOf))
  return {
    ...expected,
    terminals: [
      ...expected.terminals.map((terminal) => ({
        ...terminal,
        checkpoints: checkpointsOf.get(nameOf(terminal)) ?? terminal.checkpoints,
      })),
      ...seen.filter((terminal) => !named.has(nameOf(terminal))),
    ],
  }
}

const withStatus = (wait: QueueWait, status: StatusFields): QueueWait => ({ ...wait, ...status })

const STATUS_NAMES = Object.keys(UNKNOWN_STATUS) as (keyof StatusFields)[]
const statusOfQueue = (wait: QueueWait) => mapKeys(STATUS_NAMES, (name) => wait[name]) as StatusFields

/** A published wait as of the time of reading, without its expired terminals and lanes; null when it has expired itself. */
function unexpiredWait(published: QueueWait, time: ReadTime): QueueWait | null {
  const asOfReading = <Figure extends QueueWait | TerminalWait | CheckpointWait>(figure: Figure) =>
    agedStatus(time.aged(figure), time)
  const wait = asOfReading(published)
  if (!isUnexpired(wait)) return null
  if (wait === published) return wait
  return {
    ...wait,
    terminals: wait.terminals
      .map(asOfReading)
      .filter(isUnexpired)
      .map((terminal) => ({ ...terminal, checkpoints: terminal.checkpoints.map(asOfReading).filter(isUnexpired) })),
  }
}

/** The security wait that the forecast expects in the hour of `atMs`; null when no forecast covers that hour. */
function expectedWait(
  iata: string,
  { forecastOf, forecastTerminalsOf }: ForecastsIndex,
  hoursOf: HoursOf,
  atMs: number,
): QueueWait | null {
  const airport = forecastOf(iata)
  const wait = airport && expectedMinutes(airport, atMs)
  if (!airport || wait === null) return null
  const terminals = forecastTerminalsOf(iata).flatMap((terminal) => {
    const series = forecastOf(iata, terminal)
    const wait_minutes = series && expectedMinutes(series, atMs)
    if (!series || wait_minutes === null) return []
    const { basis, version: source } = series.model
    const status = predictedStatus(hoursOf(terminal), atMs)
    const isClosed = status.status === 'closed'
    const figure = {
      ...NO_PROVENANCE,
      terminal,
      wait_minutes: isClosed ? null : wait_minutes,
      basis: isClosed ? status.status_basis : basis,
      source: isClosed ? status.status_source : source,
      unavailable_reason: isClosed ? CLOSED_REASON : null,
    }
    return { ...status, ...figure, checkpoints: [] }
  })
  return {
    average_wait_minutes: wait,
    ...UNKNOWN_STATUS,
    ...NO_PROVENANCE,
    unavailable_reason: null,
    basis: airport.model.basis,
    source: airport.model.version,
    terminals,
  }
}

function expectedMinutes({ p50, start_ms }: ForecastSeries, atMs: number): number | null {
  const tenths = p50[Math.floor((atMs - start_ms) / HOUR_MS)]
  return tenths === undefined ? null : Math.max(0, Math.round(tenths / 10))
}
