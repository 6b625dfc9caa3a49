import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { projectFile } from '../../../config/paths.ts'
import { Lane, QueueKind } from '../../../config/vocabulary.ts'
import { parseCsv } from '../../parsing/csv.ts'

const QueueRow = z.object({
  source: z.string().min(1),
  kind: QueueKind,
  iata: z.string().length(3),
  /** Terminal, checkpoint and lane as the collector of the live page names them. */
  terminal: z.string(),
  checkpoint: z.string(),
  lane: Lane,
  /** Minutes of wait in a busy wave of departures. */
  scale: z.coerce.number().positive(),
  /** Local hours between which it is open; 0 and 24 for a queue that never closes. */
  opens: z.coerce.number(),
  closes: z.coerce.number(),
  /** Whether its site may hide it, as mobi does with rows that are not to be displayed. */
  may_hide: z.string().transform((text) => text === 'yes'),
  /** Id of the same queue in another source, with other names: both then publish the same waits. */
  mirrors: z.string().transform((text) => text || null),
  /** Fields of the site's own payload that name it. */
  fields: z.string().transform(namesIn),
})

/** A queue of the simulated world: a row of `queues.csv`. Its id is `JFK/4/Main ChekPoint/standard`, with the kind unless it is security, and `mirror` for a mirror. */
export type Queue = z.infer<typeof QueueRow> & { id: string }

const HallRow = z.object({
  iata: z.string().length(3),
  airport_name: z.string(),
  site_id: z.string(),
  terminal_name: z.string(),
  /** Flights in its busiest hour, and minutes of wait of visitors in that hour. */
  flights: z.coerce.number(),
  scale: z.coerce.number(),
  /** Local hours of its waves of arrivals. */
  waves: z.string().transform((text) => text.split(' ').map(Number)),
})

/** A passport hall of the simulated world: CBP's airport, terminal and site id, a row of `passport-halls.csv`. */
export type Hall = z.infer<typeof HallRow>

/** Areas of the FAA's flow programs. */
const FlowAreaRow = z.object({
  name: z.string(),
  shape: z.enum(['line', 'polygon', 'circle']),
  center: z.string(),
  points: z.string().transform((text) =>
    text.split(';').map((point) => {
      const [latitude = '', longitude = ''] = point.split(' ')
      return { latitude, longitude }
    }),
  ),
})
export type FlowArea = z.infer<typeof FlowAreaRow>

/** An airport whose traffic the simulated FAA manages, with its en-route center. */
const FaaAirportRow = z.object({ faa_id: z.string().length(3), center: z.string() })

/** The fields of `name=value;name=value`, where `\n` stands for a line break as in HTTP. */
function namesIn(text: string): Record<string, string> {
  const members = text === '' ? [] : text.replaceAll('\\n', '\r\n').split(';')
  return Object.fromEntries(members.map((member) => member.split('=')))
}

const rowsOf = (file: string) => parseCsv(readFileSync(projectFile('pipeline', 'simulator', 'catalogue', file), 'utf8'))

/** Every queue of the simulated world except CBP's passport halls, in the order in which its source lists it. */
export const QUEUES: readonly Queue[] = rowsOf('queues.csv').map((row) => {
  const queue = QueueRow.parse(row)
  const { iata, terminal, checkpoint, lane, kind, mirrors } = queue
  const suffix = [kind === 'security' ? '' : kind, mirrors === null ? '' : 'mirror'].filter(Boolean)
  return { ...queue, id: [iata, terminal, checkpoint, lane, ...suffix].join('/') }
})

/** CBP's passport halls. */
export const HALLS: readonly Hall[] = rowsOf('passport-halls.csv').map((row) => HallRow.parse(row))

export const FLOW_AREAS: readonly FlowArea[] = rowsOf('faa-flows.csv').map((row) => FlowAreaRow.parse(row))

/** The airports that the simulated FAA manages, in the order of their ids. */
export const FAA_AIRPORTS = rowsOf('faa-airports.csv').map((row) => FaaAirportRow.parse(row))

/** Sources whose airports have ninety days of history in the demo; the history of the others begins with the first collection. */
const SOURCES_WITH_HISTORY =
  'sea-cwt panynj-graphql mobi-mco mobi-iah mobi-hou mobi-dfw mobi-clt mobi-cvg atl-html sfo-html jax-html catsa-html'.split(
    ' ',
  )

/** The queues of a source, or those of one of its airports. */
export function queuesOf(source: string, iata?: string): Queue[] {
  return QUEUES.filter((queue) => queue.source === source && (iata === undefined || queue.iata === iata))
}

/** The passport queues of live feeds with ninety days of history, besides CBP's halls. */
export const PASSPORT_QUEUES_WITH_HISTORY: readonly Queue[] = queuesOf('zrh-passport')

/** The security queues with ninety days of history. */
export const QUEUES_WITH_HISTORY: readonly Queue[] = SOURCES_WITH_HISTORY.flatMap((source) =>
  queuesOf(source).filter(({ kind }) => kind === 'security'),
)
