import { z } from 'zod'
import type { Airport } from '../../config/airports/directory.ts'
import { unavailableReason } from '../../config/answer-schemas.ts'
import { ParameterError } from '../../config/errors.ts'
import { getOrCreate } from '../../config/once.ts'
import { METRO_CODES } from '../../config/reference/metro-codes.ts'
import { BORDER_WAIT_FIGURES, BorderWaitFigure, BorderWaitPublisher } from '../../config/reference/schengen.ts'
import {
  countedSmallState,
  isSchengenAirport,
  outsideSchengen,
  schengenState,
  withoutEesText,
} from '../../config/reference/schengen-airports.ts'
import { AirportSize, QueueStatus } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import {
  type BorderStatus,
  BorderWait,
  borderStatuses,
  borderWaits,
  EES_SCOPE,
  EesStatus,
  eesStatus,
  publishersOf,
} from '../schengen/border-control.ts'
import { ageText } from '../statements/text.ts'
import { defineQuery, type QueryContext } from './define.ts'
import { findAirport } from './find-airport.ts'
import { countryText, iata, notice, simulated, timestamp } from './shared-fields.ts'

export const BorderRow = z.strictObject({
  airport: iata,
  name: z.string(),
  country: z.string().length(2),
  member: z.boolean().describe('Whether it lies in the Schengen area.'),
  entry: BorderWait.nullable().describe('Queue into the area; null: not known.'),
  exit: BorderWait.nullable().describe('Queue out of the area; null: not known.'),
  unknown_direction: BorderWait.nullable().describe('Queues whose source does not tell entry from exit.'),
  entry_status: QueueStatus.describe('Whether the queues into the area are open; closed: all of them.'),
  exit_status: QueueStatus.describe('The same out of the area.'),
  publisher_known: z.boolean().describe('Whether a publisher of border waits is known here.'),
  unavailable_reason: unavailableReason.describe('Why entry or exit is null; null when both have a figure.'),
})

export type BorderRow = z.input<typeof BorderRow>

const output = z.strictObject({
  timestamp,
  country: z.string().nullable().describe('The requested country; null: none was named.'),
  total: z.int().min(0).describe('Requested airports, also those beyond the limit.'),
  with_figure: z.int().min(0).describe('Those of them with any figure now.'),
  airports: z.array(BorderRow).describe('Those with a figure first, then by size.'),
  past_figures: z
    .array(BorderWaitFigure)
    .describe('Waits that pages named in the past: history with date and source, never current.'),
  publishers: z.array(BorderWaitPublisher.omit({ airports: true }).extend({ airport: iata })),
  ees: EesStatus,
  scope: z.string(),
  notice,
  simulated,
})

export type BorderWaits = z.output<typeof output>

const WHOLE_AREA = /^\s*(?:the\s+)?schengen(?:\s+(?:area|zone|states|countries))?\s*$/i

/** No state where the whole area is named. */
const stateOfArea = (text: unknown) => (typeof text === 'string' && WHOLE_AREA.test(text) ? undefined : text)

export const getEesWaitTimes = defineQuery({
  name: 'getEesWaitTimes',
  input: z.strictObject({
    iata: iata.optional(),
    country: z
      .preprocess(stateOfArea, countryText().optional())
      .describe('Only airports of this Schengen state; not together with `iata`.'),
    limit: z.int().min(1).max(150).default(25).describe('Maximum number.'),
  }),
  output,
  answer({ iata: code, country, limit }, context) {
    const { snapshot } = context
    const selected = selectAirports(code, country, context)
    const rows = selected.slice(0, limit).map((airport) => borderRow(airport, context))
    return {
      timestamp: snapshot.generated_at,
      country: country ?? null,
      total: selected.length,
      with_figure: selected.filter(({ waits }) => hasFigure(waits)).length,
      airports: rows,
      past_figures: pastFigures(
        rows.filter(({ member }) => member),
        code === undefined && country === undefined,
      ),
      publishers: rows.flatMap(({ airport }) =>
        publishersOf(airport).map(({ airports: _airports, ...publisher }) => ({ ...publisher, airport })),
      ),
      ees: eesStatus(),
      scope: EES_SCOPE,
      // The statements of pages about the system are real.
      simulated: snapshot.simulated && selected.some(({ waits }) => hasFigure(waits)),
    }
  },
})

type DirectionWaits = Pick<BorderRow, 'entry' | 'exit' | 'unknown_direction'>

interface AirportWaits {
  airport: Airport
  waits: DirectionWaits
}

export const hasFigure = ({ entry, exit, unknown_direction }: DirectionWaits) =>
  [entry, exit, unknown_direction].some(Boolean)

/** The requested airport, or those of a country, or all Schengen airports with scheduled service. */
function selectAirports(code: string | undefined, country: string | undefined, context: QueryContext): AirportWaits[] {
  if (code !== undefined) {
    if (country !== undefined) throw ParameterError.of('country', 'must not be given together with iata')
    const airport = findAirport(code, context)
    return [{ airport, waits: waitsAt(airport, context) }]
  }
  if (country === undefined) return allSchengenAirports(context)
  const notSchengen = outsideSchengen({ country, region: null })
  if (notSchengen !== null) {
    const small = countedSmallState(country)
    const note = small === undefined ? '' : `; ${small.note}`
    throw ParameterError.of('country', `must be a Schengen state: ${notSchengen.replace(/\.$/, '')}${note}`)
  }
  return allSchengenAirports(context).filter(({ airport }) => airport.country === country)
}

const sizeRank = ({ airport }: AirportWaits) => AirportSize.options.indexOf(airport.size)

const schengenAirports = new WeakMap<Snapshot, AirportWaits[]>()

/** All Schengen airports with scheduled service: those with a figure first, then by size. Computed once for each snapshot. */
const allSchengenAirports = (context: QueryContext): AirportWaits[] =>
  getOrCreate(schengenAirports, context.snapshot, () =>
    context.directory.all
      .filter((airport) => airport.scheduled_service && isSchengenAirport(airport))
      .map((airport) => ({ airport, waits: waitsAt(airport, context) }))
      .sort((a, b) => Number(hasFigure(b.waits)) - Number(hasFigure(a.waits)) || sizeRank(a) - sizeRank(b)),
  )

function waitsAt(airport: Airport, { snapshot }: QueryContext): DirectionWaits {
  if (!isSchengenAirport(airport)) return { entry: null, exit: null, unknown_direction: null }
  const { entry, exit, unknown } = borderWaits(snapshot.queue(airport.iata, 'immigration'))
  return { entry, exit, unknown_direction: unknown }
}

function borderRow({ airport, waits }: AirportWaits, context: QueryContext): BorderRow {
  const { iata, name, country } = airport
  const notSchengen = withoutEesText(airport)
  const statuses = borderStatuses(context.snapshot.queue(iata, 'immigration'))
  const statusOf = (direction: 'entry' | 'exit') => (notSchengen === null ? statuses[direction].status : 'unknown')
  return {
    airport: iata,
    name,
    country,
    member: notSchengen === null,
    ...waits,
    entry_status: statusOf('entry'),
    exit_status: statusOf('exit'),
    publisher_known: notSchengen === null && publishersOf(iata).length > 0,
    unavailable_reason: notSchengen ?? reasonForNull(iata, waits, context),
  }
}

/** Why entry or exit has no figure; null when both have one. */
function reasonForNull(
  iata: string,
  { entry, exit, unknown_direction }: DirectionWaits,
  { snapshot }: QueryContext,
): string | null {
  if (entry && exit) return null
  const statuses = borderStatuses(snapshot.queue(iata, 'immigration'))
  const closed = [
    ...(entry ? [] : closedText('entry', statuses.entry)),
    ...(exit ? [] : closedText('exit', statuses.exit)),
    ...(entry || exit || unknown_direction ? [] : closedText('', statuses.unknown)),
  ]
  if (closed.length > 0) return closed.join(' ')
  if (entry || exit) return `No source has the ${entry ? 'exit' : 'entry'} queue here now.`
  if (unknown_direction) return 'The source does not tell entry from exit.'
  return snapshot.queue(iata, 'immigration').unavailable_reason ?? 'No open border queue has a wait here now.'
}

function closedText(direction: string, { status, age_seconds }: BorderStatus): string[] {
  if (status !== 'closed') return []
  const age = age_seconds === null ? '' : ` (${ageText(age_seconds)} ago)`
  return [`All ${direction === '' ? 'border' : direction} queues are closed${age}, so they have no wait.`]
}

/** The airports of a quoted figure: those of its place too, where the page names none, as of Tenerife. */
export function airportsOfFigure({ iata, place }: BorderWaitFigure): readonly string[] {
  if (iata !== null) return [iata]
  const metro = METRO_CODES.where('name', place)[0]
  return metro?.airports.map((airport) => airport.iata) ?? []
}

/** The states that a figure is about: "airports in FR, DE". */
const statesOfFigure = ({ place }: BorderWaitFigure): readonly string[] =>
  (place.match(/\b[A-Z]{2}\b/g) ?? []).filter((code) => schengenState(code)?.member)

interface TravelPlace {
  airport: string
  country: string
}

/** The quoted figures of some airports, theirs before those of their states; with `general` also those of no certain place. */
function pastFigures(places: readonly TravelPlace[], general: boolean): BorderWaitFigure[] {
  const codes = new Set(places.map(({ airport }) => airport))
  const countries = new Set(places.map(({ country }) => country))
  const rows = BORDER_WAIT_FIGURES.rows()
  const airportRows = rows.filter((row) => airportsOfFigure(row).some((code) => codes.has(code)))
  const stateRows = rows.filter((row) => statesOfFigure(row).some((code) => countries.has(code)))
  const found = [...airportRows, ...stateRows]
  return general
    ? [...found, ...rows.filter((row) => !found.includes(row) && airportsOfFigure(row).length === 0)]
    : found
}
