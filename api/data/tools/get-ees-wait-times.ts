import { z } from 'zod'
import type { Airport } from '../../../config/airports/directory.ts'
import { AirportSize } from '../../../config/domain.ts'
import { ParameterError } from '../../../config/errors.ts'
import { unavailableReason } from '../../../config/facts.ts'
import { BORDER_WAIT_FIGURES, BorderWaitFigure, BorderWaitPublisher } from '../../../config/reference/schengen.ts'
import { isSchengenAirport, outsideSchengen } from '../../../config/reference/schengen-airports.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { defineQuery, type QueryContext } from '../queries/define.ts'
import { findAirport } from '../queries/find-airport.ts'
import { iata, simulated, timestamp } from '../queries/shared-fields.ts'
import { BorderWait, borderWaits } from '../schengen/border-waits.ts'
import { EES_SCOPE, EesStatus, eesStatus, publishersOf } from '../schengen/ees-facts.ts'
import { defineTool, READ_ONLY } from './define.ts'

const BorderRow = z.strictObject({
  airport: iata,
  name: z.string(),
  country: z.string().length(2),
  member: z.boolean().describe('Whether it lies in the Schengen area.'),
  entry: BorderWait.nullable().describe('Queue into the area; null: not known.'),
  exit: BorderWait.nullable().describe('Queue out of the area; null: not known.'),
  unknown_direction: BorderWait.nullable().describe('Queues whose source does not tell entry from exit.'),
  publisher_known: z.boolean().describe('Whether anyone is known to publish border waits here.'),
  unavailable_reason: unavailableReason.describe('Why entry or exit is null; null when both have a figure.'),
})
type BorderRow = z.input<typeof BorderRow>

const output = z.strictObject({
  timestamp,
  total: z.int().min(0).describe('Airports asked about, also those beyond the limit.'),
  with_figure: z.int().min(0).describe('Those of them with any figure now.'),
  airports: z.array(BorderRow).describe('Those with a figure first, then by size.'),
  past_figures: z
    .array(BorderWaitFigure)
    .describe('Waits that pages named in the past: history with date and source, never current.'),
  publishers: z.array(BorderWaitPublisher.omit({ airports: true }).extend({ airport: iata })),
  ees: EesStatus,
  scope: z.string(),
  simulated,
})

const description =
  'EU Entry/Exit System: current waits at border control of Schengen airports, entry and exit apart. Use it before crossing the border. Give an airport, a country, or neither for the board of all Schengen airports with scheduled service. Hardly any airport publishes these waits (Zurich does), so most figures are null with a reason: not known, never no queue. Figures are measured by the airport or reported by travellers, with age; a source that does not tell entry from exit is given as `unknown_direction`. `past_figures` are dated quotes from pages, not current. Whether checks are suspended somewhere now is not known. For hours to come use get_ees_forecast, for days of stay check_schengen_days.'

const query = defineQuery({
  name: 'getEesWaitTimes',
  summary: 'Border waits across Schengen airports',
  description,
  tier: 'free',
  rest: null,
  input: z.strictObject({
    iata: iata.optional(),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 code of two capital letters, like ES')
      .optional()
      .describe('Only airports of this Schengen state; not together with `iata`.'),
    limit: z.int().min(1).max(150).default(25).describe('Most airports to return.'),
  }),
  output,
  answer({ iata: code, country, limit }, context) {
    const { snapshot } = context
    const places = placesOf(code, country, context)
    const airports = places.slice(0, limit).map(({ place, waits }) => borderRow(place, waits, context))
    return {
      timestamp: snapshot.generated_at,
      total: places.length,
      with_figure: places.filter(({ waits }) => hasFigure(waits)).length,
      airports,
      past_figures: pastFigures(airports, code === undefined && country === undefined),
      publishers: airports.flatMap(({ airport }) =>
        publishersOf(airport).map(({ airports: _all, ...publisher }) => ({ ...publisher, airport })),
      ),
      ees: eesStatus(),
      scope: EES_SCOPE,
      simulated: snapshot.simulated,
    }
  },
})

type Waits = Pick<BorderRow, 'entry' | 'exit' | 'unknown_direction'>

const hasFigure = ({ entry, exit, unknown_direction }: Waits) => [entry, exit, unknown_direction].some(Boolean)
const sizeRank = (size: AirportSize) => AirportSize.options.indexOf(size)

/** An airport and its waits. */
interface Place {
  place: Airport
  waits: Waits
}

/** The airports asked about, in the order of the board. */
function placesOf(code: string | undefined, country: string | undefined, context: QueryContext): Place[] {
  if (code !== undefined) {
    if (country !== undefined)
      throw new ParameterError([{ parameter: 'country', message: 'must not be given together with iata' }])
    const place = findAirport(code, context)
    return [{ place, waits: waitsAt(place, context) }]
  }
  const outside = country === undefined ? null : outsideSchengen({ country, region: null })
  if (outside !== null)
    throw new ParameterError([
      { parameter: 'country', message: `must be a Schengen state: ${outside.replace(/\.$/, '')}` },
    ])
  return boardOf(context).filter(({ place }) => country === undefined || place.country === country)
}

const boards = new WeakMap<Snapshot, Place[]>()

/** All Schengen airports with scheduled service: those with a figure first, then by size. Made once a snapshot. */
function boardOf(context: QueryContext): Place[] {
  const made = boards.get(context.snapshot)
  if (made) return made
  const board = context.directory.all
    .filter((airport) => airport.scheduled_service && isSchengenAirport(airport))
    .map((place) => ({ place, waits: waitsAt(place, context) }))
    .sort(
      (a, b) =>
        Number(hasFigure(b.waits)) - Number(hasFigure(a.waits)) || sizeRank(a.place.size) - sizeRank(b.place.size),
    )
  boards.set(context.snapshot, board)
  return board
}

function waitsAt(place: Airport, { snapshot }: QueryContext): Waits {
  if (!isSchengenAirport(place)) return { entry: null, exit: null, unknown_direction: null }
  const { entry, exit, unknown: unknown_direction } = borderWaits(snapshot.queue(place.iata, 'immigration'))
  return { entry, exit, unknown_direction }
}

function borderRow(place: Airport, waits: Waits, context: QueryContext): BorderRow {
  const { iata: airport, name, country } = place
  const outside = outsideSchengen(place)
  const publisher_known = outside === null && publishersOf(airport).length > 0
  const missing = outside ? `${outside} The Entry/Exit System is not used here.` : whyMissing(airport, waits, context)
  return { airport, name, country, member: outside === null, ...waits, publisher_known, unavailable_reason: missing }
}

function whyMissing(airport: string, { entry, exit, unknown_direction }: Waits, { snapshot }: QueryContext) {
  if (entry && exit) return null
  if (entry || exit) return `Nobody tells of the ${entry ? 'exit' : 'entry'} queue here now.`
  if (unknown_direction) return 'The source does not tell entry from exit.'
  const told = snapshot.facts(airport).find(({ fact }) => fact === 'immigration')?.reason
  return (
    told ?? snapshot.queue(airport, 'immigration').unavailable_reason ?? 'No open border queue has a wait here now.'
  )
}

/** Quoted figures of the airports shown; the general ones too on the board of all. */
function pastFigures(shown: BorderRow[], general: boolean) {
  const codes = new Set(shown.filter(({ member }) => member).map(({ airport }) => airport))
  return BORDER_WAIT_FIGURES.rows().filter(({ iata: code }) => (code === null ? general : codes.has(code)))
}

function waitWords(direction: string, wait: BorderRow['entry']): string[] {
  if (!wait) return []
  const { wait_minutes, basis, age_seconds, source } = wait
  return [`${direction} about ${wait_minutes} min (${basis} ${Math.round(age_seconds / 60)} min ago, source ${source})`]
}

function rowWords(row: BorderRow): string {
  const waits = [
    ...waitWords('entry', row.entry),
    ...waitWords('exit', row.exit),
    ...waitWords('entry or exit', row.unknown_direction),
  ]
  const missing = row.unavailable_reason ?? ''
  return `${row.airport} ${row.name}: ${waits.length > 0 ? `${waits.join(', ')}. ${missing}` : `no figure. ${missing}`}`.trim()
}

export const getEesWaitTimesTool = defineTool<z.output<typeof output>>({
  name: 'get_ees_wait_times',
  title: 'EU Entry/Exit System border waits across Schengen airports',
  description,
  annotations: READ_ONLY,
  example: { iata: 'ZRH' },
  query,
  text: ({ total, with_figure, airports, past_figures, ees, scope }) => {
    const shown = total === 1 ? airports : airports.filter(hasFigure)
    return [
      total !== 1 &&
        `${with_figure} of ${total} Schengen airports ${with_figure === 1 ? 'has' : 'have'} a border wait now; of the others nothing is known.`,
      ...shown.map(rowWords),
      ...past_figures.map(
        ({ place, date, fact, as_of }) =>
          `In the past (${date ?? 'undated'}; page of ${as_of ?? 'no date'}), ${place}: ${fact}.`,
      ),
      airports.some(({ member }) => member) && `${scope} ${ees.note}`,
    ]
      .filter(Boolean)
      .join('\n')
  },
})
