import { airportDirectory } from '../../../config/airports/directory.ts'
import { type Closure, closuresAt } from '../model/closures.ts'
import { type Flow, flowsAt, type Program, programsAt } from '../model/programs.ts'
import { filled, timeSlots } from './feed.ts'
import type { Slots } from './payload.ts'
import { spoken } from './posted-waits.ts'
import { minuteOf, type Site } from './site.ts'

const PAYLOADS: Record<string, string> = {
  '/api/airport-status-information': 'faa-status.xml',
  '/api/airport-events': 'faa-airport-events.json',
  '/api/enroute-events': 'faa-enroute-events.json',
}

/** The FAA's status of the national airspace: an XML document (on one line) and two JSON lists with the same programs. */
export const faa: Site = {
  hosts: ['nasstatus.faa.gov'],
  answer: ({ path }, { queues, now }) => {
    const payload = PAYLOADS[path]
    if (payload === undefined) return null
    const answer = filled(payload, statusSlots(queues.seed, minuteOf(now)))
    return { ...answer, body: answer.body.replaceAll('\n', '') }
  },
}

const KINDS: Program['kind'][] = ['ground_stop', 'ground_delay', 'arrival', 'departure']

function statusSlots(seed: number, ms: number): Slots {
  const byKind = (a: Program, b: Program) => Math.min(2, KINDS.indexOf(a.kind)) - Math.min(2, KINDS.indexOf(b.kind))
  const programs = programsAt(seed, ms).sort(byKind).map(programSlots)
  const closures = closuresAt(seed, ms).map(closureSlots)
  const ids = [...new Set([...programs, ...closures].map(({ id }) => String(id)))].sort()
  const events = ids.map((id) => eventSlots(id, programs, closures))
  const updated = timeSlots(Math.floor(ms / 900_000) * 900_000).utc
  return { ...timeSlots(ms), updated, programs, closures, events, flows: flowsAt(seed, ms).map(flowSlots) }
}

/** The beginning and the end of a period, in UTC and in the airport's zone. */
function periodSlots(start: number, end: number, iata?: string): Slots {
  return { start: timeSlots(start).utc, end: timeSlots(end).utc, end_local: timeSlots(end, iata).at }
}

const duration = (minutes: number) => spoken(minutes, 'hour', 'minute')

function programSlots(program: Program): Slots {
  const { airport, kind, trend, average_minutes, least_minutes, most_minutes } = program
  const leg = kind === 'arrival' ? 'Arrival' : 'Departure'
  return {
    ...periodSlots(program.start, program.end, airport.place.iata),
    id: airport.id,
    center: airport.center,
    reason: program.reason,
    extension: program.extension,
    kind,
    list: kind === 'arrival' || kind === 'departure' ? 'delay' : kind,
    ground_stop: kind === 'ground_stop',
    ground_delay: kind === 'ground_delay',
    delay: kind === 'arrival' || kind === 'departure',
    leg,
    trend,
    trend_in_small: trend.toLowerCase(),
    average_minutes,
    average_text: String(average_minutes),
    most_minutes,
    average: duration(average_minutes),
    least: duration(least_minutes),
    most: duration(most_minutes),
  }
}

function closureSlots({ faa_id: id, extent, start, end, ...closure }: Closure): Slots {
  const number_of_three = String(closure.number).padStart(3, '0')
  return {
    id,
    ...closure,
    number_of_three,
    ...periodSlots(start, end),
    full: extent === 'full',
    partial: extent === 'partial',
  }
}

function flowSlots({ kind, shape, start, end, average_minutes, ...flow }: Flow): Slots {
  return {
    ...flow,
    ...periodSlots(start, end),
    kind,
    afp: kind === 'afp',
    line: shape === 'line',
    polygon: shape === 'polygon',
    circle: shape === 'circle',
    program: flow.name.replace('FCA', 'CTP'),
    average_minutes,
    average: duration(average_minutes),
  }
}

/** A row of the list of airports: its programs by kind, and its closures; only a full one is a closure in the list. */
function eventSlots(id: string, programs: Slots[], closures: Slots[]): Slots {
  const place = airportDirectory().byFaaId.get(id)
  const closure = closures.filter((candidate) => candidate.id === id).slice(0, 1)
  const own = (kind: string) => programs.filter((program) => program.id === id && program.kind === kind)
  return {
    id,
    airport_name: place?.name ?? id,
    latitude_text: String(place?.latitude ?? ''),
    longitude_text: String(place?.longitude ?? ''),
    ground_stops: own('ground_stop'),
    ground_delays: own('ground_delay'),
    arrivals: own('arrival'),
    departures: own('departure'),
    full_closures: closure.filter(({ full }) => full),
    free_forms: closure.filter(({ full }) => !full),
  }
}
