import type { Airport } from '../../config/airports/directory.ts'
import type { DelayStatus } from '../../config/domain.ts'
import { reasonWords } from '../../config/reference/faa-words.ts'
import { lengthText } from '../../warehouse/publishing/gather/delays.ts'
import type { DelayProgram, DelayState } from '../../warehouse/publishing/read/delays.ts'
import { closedToAirlines, closurePeriod } from './closure.ts'
import { clockOn } from './words.ts'

/** What delays or closes an airport now: a chip and one line. */
export interface DelayNews {
  status: DelayStatus
  /** `Ground delay`. */
  title: string
  /** What it means, without the title: `flights to LGA wait 110 min on average, until 02:45`. */
  line: string
}

const TITLES: Partial<Record<DelayStatus, string>> = {
  closed: 'Closed to airlines',
  ground_stop: 'Ground stop',
  ground_delay: 'Ground delay',
  minor_delay: 'Delays',
}

type ProgramText = (iata: string, length: string | null) => string
const MEANINGS: Record<DelayProgram['type'], ProgramText> = {
  ground_stop: (iata) => `flights to ${iata} do not take off`,
  ground_delay: (iata, length) => `flights to ${iata} wait ${length ?? 'before take-off'}`,
  arrival_delay: (iata, length) => `flights to ${iata} arrive late${length === null ? '' : `, ${length}`}`,
  departure_delay: (iata, length) => `flights from ${iata} leave late${length === null ? '' : `, ${length}`}`,
  airspace_flow: (_iata, length) => `flights through an airspace wait${length === null ? '' : ` ${length}`}`,
}

/** The order in which programs stop flights. */
const ORDER: DelayProgram['type'][] = [
  'ground_stop',
  'ground_delay',
  'departure_delay',
  'arrival_delay',
  'airspace_flow',
]

const PROGRAM_TITLES: Record<DelayProgram['type'], string> = {
  ground_stop: 'Ground stop',
  ground_delay: 'Ground delay',
  arrival_delay: 'Arrivals',
  departure_delay: 'Departures',
  airspace_flow: 'Airspace',
}

/** What a delay is at, with the zone of its times. */
type Place = Pick<Airport, 'iata' | 'timezone'>

/** The gravest news of an airport; null where nothing is known to delay it. */
export function delayNews(
  { status, programs, closures }: Pick<DelayState, 'status' | 'programs' | 'closures'>,
  airport: Place,
  now: number,
): DelayNews | null {
  const title = TITLES[status]
  if (title === undefined) return null
  if (status === 'closed') {
    const closure = closedToAirlines(closures, airport.timezone, now)
    return { status, title, line: closure ? closurePeriod(closure) : 'no airline flights' }
  }
  const [gravest] = byGravity(programs.filter(({ destination }) => destination === null))
  return gravest ? { status, title, line: programText(gravest, airport, now) } : null
}

/** Every program, the gravest first. */
export const programNews = ({ programs }: Pick<DelayState, 'programs'>, airport: Place, now: number) =>
  byGravity(programs).map((program): Omit<DelayNews, 'status'> => {
    const { type, destination } = program
    const of = destination === null ? '' : ` of ${destination}`
    return { title: `${PROGRAM_TITLES[type]}${of}`, line: programText(program, airport, now) }
  })

const byGravity = (programs: readonly DelayProgram[]) =>
  programs.toSorted((a, b) => ORDER.indexOf(a.type) - ORDER.indexOf(b.type))

function programText(program: DelayProgram, airport: Place, now: number): string {
  const { type, reason, end, destination } = program
  const because = reason === null ? '' : ` (${reasonWords(reason)})`
  const length = lengthText(program)
  const meaning =
    destination === null
      ? MEANINGS[type](airport.iata, length)
      : `departures from here to ${destination} wait${length === null ? '' : ` ${length}`}`
  return `${meaning}${untilText(end, airport, now)}${because}`
}

const untilText = (end: string | null, { timezone }: Place, now: number) =>
  end === null ? '' : `, until ${clockOn(end, timezone, now)}`
