import { z } from 'zod'
import { defineQuery, type QueryContext } from '../../../answers/questions/define.ts'
import { findAirport } from '../../../answers/questions/find-airport.ts'
import { iata, notice, simulated, timestamp } from '../../../answers/questions/shared-fields.ts'
import { type BorderStatus, BorderWait, borderStatuses, borderWaits } from '../../../answers/schengen/border-waits.ts'
import { EES_SCOPE, EesStatus, eesStatus, publishersOf } from '../../../answers/schengen/ees-facts.ts'
import { ageText, basisText, sentenceOf } from '../../../answers/statements/text.ts'
import type { Airport } from '../../../config/airports/directory.ts'
import { unavailableReason } from '../../../config/answers.ts'
import { AirportSize, QueueStatus } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { keptIn } from '../../../config/once.ts'
import { countryCode, countryName } from '../../../config/reference/countries.ts'
import { METRO_CODES } from '../../../config/reference/metro-codes.ts'
import { BORDER_WAIT_FIGURES, BorderWaitFigure, BorderWaitPublisher } from '../../../config/reference/schengen.ts'
import { isSchengenAirport, outsideSchengen, schengenState } from '../../../config/reference/schengen-airports.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { defineTool } from './define.ts'

const BorderRow = z.strictObject({
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
type BorderRow = z.input<typeof BorderRow>

const output = z.strictObject({
  timestamp,
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
type Answer = BorderWaits

/** A country as callers write it: its code in any case, also EL and UK, or its name; read as the ISO code. */
const countryText = z
  .string()
  .max(60, 'must be at most 60 characters')
  .transform((text, context) => {
    const code = countryCode(text)
    if (code !== null) return code
    context.addIssue('is not a known country: give its ISO 3166-1 code, like FR, or its name')
    return z.NEVER
  })

const query = defineQuery({
  name: 'getEesWaitTimes',
  input: z.strictObject({
    iata: iata.optional(),
    country: countryText.optional().describe('Only airports of this Schengen state; not together with `iata`.'),
    limit: z.int().min(1).max(150).default(25).describe('Maximum number.'),
  }),
  output,
  answer({ iata: code, country, limit }, context) {
    const { snapshot } = context
    const selected = selectAirports(code, country, context)
    const rows = selected.slice(0, limit).map((airport) => borderRow(airport, context))
    return {
      timestamp: snapshot.generated_at,
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
      // What pages say of the system is real.
      simulated: snapshot.simulated && selected.some(({ waits }) => hasFigure(waits)),
    }
  },
})

type DirectionWaits = Pick<BorderRow, 'entry' | 'exit' | 'unknown_direction'>

interface AirportWaits {
  airport: Airport
  waits: DirectionWaits
}

const hasFigure = ({ entry, exit, unknown_direction }: DirectionWaits) => [entry, exit, unknown_direction].some(Boolean)

/** The requested airport, or those of a country, or all Schengen airports with scheduled service. */
function selectAirports(code: string | undefined, country: string | undefined, context: QueryContext): AirportWaits[] {
  if (code !== undefined) {
    if (country !== undefined) throw ParameterError.of('country', 'must not be given together with iata')
    const airport = findAirport(code, context)
    return [{ airport, waits: waitsAt(airport, context) }]
  }
  if (country === undefined) return allSchengenAirports(context)
  const notSchengen = outsideSchengen({ country, region: null })
  if (notSchengen !== null)
    throw ParameterError.of('country', `must be a Schengen state: ${notSchengen.replace(/\.$/, '')}`)
  return allSchengenAirports(context).filter(({ airport }) => airport.country === country)
}

const sizeRank = ({ airport }: AirportWaits) => AirportSize.options.indexOf(airport.size)

const schengenAirports = new WeakMap<Snapshot, AirportWaits[]>()

/** All Schengen airports with scheduled service: those with a figure first, then by size. Computed once for each snapshot. */
const allSchengenAirports = (context: QueryContext): AirportWaits[] =>
  keptIn(schengenAirports, context.snapshot, () =>
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
  const notSchengen = outsideSchengen(airport)
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
    unavailable_reason: notSchengen
      ? `${notSchengen} The Entry/Exit System is not used here.`
      : reasonForNull(iata, waits, context),
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
  const fact = snapshot.facts(iata).find(({ fact }) => fact === 'immigration')
  return (
    fact?.reason ??
    snapshot.queue(iata, 'immigration').unavailable_reason ??
    'No open border queue has a wait here now.'
  )
}

function closedText(direction: string, { status, age_seconds }: BorderStatus): string[] {
  if (status !== 'closed') return []
  const age = age_seconds === null ? '' : ` (${ageText(age_seconds)} ago)`
  return [`All ${direction === '' ? 'border' : direction} queues are closed${age}, so they have no wait.`]
}

const DIRECTION_TITLES = {
  entry: 'entering the area',
  exit: 'leaving the area',
  unknown_direction: 'at border control',
} as const

function waitText(direction: keyof typeof DIRECTION_TITLES, wait: BorderRow['entry']): string[] {
  if (!wait) return []
  const { wait_minutes, basis, age_seconds, source } = wait
  return [`about ${wait_minutes} min ${DIRECTION_TITLES[direction]}, ${basisText({ basis, age_seconds, source })}`]
}

function rowText({ airport, name, member, unavailable_reason, ...waits }: BorderRow): string {
  const known = [
    ...waitText('entry', waits.entry),
    ...waitText('exit', waits.exit),
    ...waitText('unknown_direction', waits.unknown_direction),
  ]
  const isClosed = waits.entry_status === 'closed' || waits.exit_status === 'closed'
  const nothing = member && !isClosed ? 'the wait at border control is not known now.' : ''
  const text = known.length > 0 ? `${known.join('; ')}.` : nothing
  return `${airport} ${name}: ${[text, unavailable_reason && sentenceOf(unavailable_reason)].filter(Boolean).join(' ')}`
}

/** "20 to 120 min", of the figures of one airport. */
function pastRange(figures: Answer['past_figures']): string | null {
  const most = figures.flatMap(({ max_minutes }) => max_minutes ?? [])
  if (most.length === 0) return null
  const least = figures.flatMap(({ min_minutes }) => min_minutes ?? [])
  const max = Math.max(...most)
  return least.length === 0 ? `up to ${max} min` : `${Math.min(...least)} to ${max} min`
}

/** What to do without a figure: nothing is promised, and what pages named in the past is the scale of a bad day. */
function adviceText({ total, with_figure, airports, past_figures }: Answer): string | null {
  const [row] = airports
  if (total !== 1 || with_figure > 0 || !row?.member || row.entry_status === 'closed') return null
  const own = pastRange(past_figures.filter((figure) => airportsOfFigure(figure).includes(row.airport)))
  const scale = own === null ? '' : ` Pages named ${own} here on past days.`
  return `Allow extra time of your own: no figure does not mean no queue.${scale}`
}

/** The answer for many airports: figures first, or that none is known and what pages named in the past. */
function countsText({ total, with_figure, past_figures }: Answer): string | false {
  if (total === 0) return 'No Schengen airport with scheduled flights is known there.'
  if (total === 1) return false
  const past = pastRange(past_figures)
  if (with_figure === 0)
    return `The border wait is not known now at any of ${total} Schengen airports${past === null ? '' : `; pages named ${past} on past days`}.`
  return `${with_figure} of ${total} Schengen airports ${with_figure === 1 ? 'has' : 'have'} a border wait now; nothing is known about the others.`
}

/** A place with its states by name: of "airports in FR, DE" France and Germany. */
const withStateNames = (place: string) => place.replace(/\b[A-Z]{2}\b/g, countryName)

const pastText = ({ place, date, fact, as_of }: Answer['past_figures'][number]) =>
  `In the past, ${withStateNames(place)}: ${fact} (${date ?? 'undated'}; ${as_of === null ? 'an undated page' : `page of ${as_of}`}).`

function answerText({ airports, past_figures }: Answer, whole: Answer): string {
  const { total, with_figure, ees, scope } = whole
  const shown = (total === 1 ? whole.airports : airports.filter(hasFigure)).map(rowText)
  const counts = countsText(whole)
  return [
    ...(with_figure > 0 ? [...shown, counts] : [counts, ...shown]),
    adviceText(whole),
    ...past_figures.map(pastText),
    whole.airports.some(({ member }) => member) && `${scope} ${ees.note}`,
  ]
    .filter(Boolean)
    .join('\n')
}

export const getEesWaitTimesTool = defineTool<Answer>({
  name: 'get_ees_wait_times',
  title: 'Border waits at Schengen airports now',
  description:
    'EU Entry/Exit System: current waits at border control of Schengen airports, entry and exit apart. Give an airport, a country, or neither. Hardly any airport publishes these waits (Zurich does): null means not known, never no queue. `past_figures` are dated quotes from pages, not current.',
  example: { iata: 'ZRH' },
  query,
  limits: { publishers: 3, past_figures: 2, 'ees.facts': 3, airports: 4 },
  pages: { list: 'airports', rows: 40 },
  text: answerText,
})

/** The airports of a quoted figure: those of its place too, where the page names none, as of Tenerife. */
function airportsOfFigure({ iata, place }: BorderWaitFigure): readonly string[] {
  if (iata !== null) return [iata]
  const metro = METRO_CODES.where('name', place)[0]
  return metro?.airports.map((airport) => airport.iata) ?? []
}

/** The states that a figure is about: "airports in FR, DE". */
const statesOfFigure = ({ place }: BorderWaitFigure): readonly string[] =>
  (place.match(/\b[A-Z]{2}\b/g) ?? []).filter((code) => schengenState(code)?.member)

interface Place {
  airport: string
  country: string
}

/** The quoted figures of some airports, theirs before those of their states; with `general` also those of no certain place. */
function pastFigures(places: readonly Place[], general: boolean): BorderWaitFigure[] {
  const codes = new Set(places.map(({ airport }) => airport))
  const countries = new Set(places.map(({ country }) => country))
  const rows = BORDER_WAIT_FIGURES.rows()
  const ofAirports = rows.filter((row) => airportsOfFigure(row).some((code) => codes.has(code)))
  const ofStates = rows.filter((row) => statesOfFigure(row).some((code) => countries.has(code)))
  const found = [...ofAirports, ...ofStates]
  return general
    ? [...found, ...rows.filter((row) => !found.includes(row) && airportsOfFigure(row).length === 0)]
    : found
}
