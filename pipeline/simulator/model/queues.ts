import { airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import { QUEUES, type Queue } from '../catalogue/index.ts'
import { demandAt, type WeekProfile, weekProfile } from './demand.ts'
import { holidayFactor } from './holidays.ts'
import { type LocalTime, localTime } from './local-clock.ts'
import { hashOf, smoothNoise, uniform } from './noise.ts'
import { severity, stormAt } from './storms.ts'

/** The true state of a queue at an instant. */
export interface QueueState {
  open: boolean
  /** Whole minutes; null while closed. */
  minutes: number | null
}

/** The published state of a queue: `unknown` is a queue without a reading, `hidden` one that the site does not show. */
export type PublishedState =
  | { state: 'open'; minutes: number }
  | { state: 'closed' | 'unknown' | 'hidden'; minutes: null }

/** The queues of the simulated world; instants in epoch milliseconds. */
export interface QueueModel {
  seed: number
  waitAt: (queueId: string, ms: number) => QueueState
  publishedAt: (queueId: string, ms: number) => PublishedState
}

interface ModelAirport {
  key: number
  zone: string
  country: string
  latitude: number
  /** The instant of `clock` and `load`: cached, because all queues of an airport are computed for the same instant. */
  updated_ms: number
  clock: LocalTime
  /** Factor of demand of the whole airport. */
  load: number
}

interface ModelQueue {
  queue: Queue
  airport: ModelAirport
  key: number
  terminalKey: number
  profile: WeekProfile
}

/** Waits approach this many minutes and do not exceed it: people give up, more lanes are opened. */
const MAX_MINUTES = 95
const UNKNOWN_CHANCE = 0.006
const HIDDEN_CHANCE = 0.004
const CLOSED_DAY_CHANCE = 0.015
const CLOSED_SPELL_CHANCE = 0.008
const INCIDENT_CHANCE = 0.06

/**
 * Creates the model of all queues: a pure function of seed and instant. Nothing is stored, so the history of any day can be computed
 * at any time and agrees with what was live. Waits follow the hour of the week, vary slowly over days and hours, and rise before
 * holidays, in storms and after incidents: a model can learn them better than a table of medians.
 */
export function createQueueModel(seed: number): QueueModel {
  const airports = new Map<string, ModelAirport>()
  const queues = new Map<string, ModelQueue>()
  for (const queue of QUEUES) {
    const airport = airports.get(queue.iata) ?? createAirport(seed, queue.iata)
    airports.set(queue.iata, airport)
    const key = hashOf(`${seed} ${queue.id}`)
    const terminalKey = hashOf(`${seed} ${queue.iata} ${queue.terminal || queue.checkpoint}`)
    queues.set(queue.id, { queue, airport, key, terminalKey, profile: weekProfile(airport.key, key) })
  }
  const queueOf = (id: string): ModelQueue => {
    const found = queues.get(id)
    if (!found) throw new Error(`no queue ${id} in the simulated world`)
    return found
  }
  const stateAt = (id: string, ms: number) => stateOf(seed, queueOf(queueOf(id).queue.mirrors ?? id), ms)
  return {
    seed,
    waitAt: stateAt,
    publishedAt: (id, ms) => publishedStateOf(queueOf(id), stateAt(id, ms), ms),
  }
}

function createAirport(seed: number, iata: string): ModelAirport {
  const place = airportDirectory().byIata.get(iata)
  if (!place) throw new Error(`${iata} is not in the airport directory`)
  const { timezone: zone, country, latitude } = place
  const key = hashOf(`${seed} ${iata}`)
  return { key, zone, country, latitude, updated_ms: Number.NaN, clock: localTime(zone, 0), load: 1 }
}

/** Computes the load of an airport at an instant: slow noise over days, faster noise over hours, holidays, storms. */
function updateAirport(seed: number, { queue, airport }: ModelQueue, ms: number): void {
  if (airport.updated_ms === ms) return
  const { key } = airport
  const clock = localTime(airport.zone, ms)
  const hours = ms / HOUR_MS
  const days = 0.11 * smoothNoise(key ^ 11, hours / 150) + 0.1 * smoothNoise(key ^ 12, hours / 30)
  const weather = 1 + 0.3 * severity(stormAt(seed, queue.iata, airport.latitude, ms), ms)
  const noise = Math.exp(days + 0.07 * smoothNoise(key ^ 13, hours / 3))
  airport.load = noise * holidayFactor(airport.country, clock.day) * weather
  airport.clock = clock
  airport.updated_ms = ms
}

function stateOf(seed: number, model: ModelQueue, ms: number): QueueState {
  const { queue, airport, key } = model
  updateAirport(seed, model, ms)
  const { clock } = airport
  const isOpenHour = clock.hour >= queue.opens && clock.hour < queue.closes
  if (!isOpenHour || isClosedUnplanned(model, ms)) return { open: false, minutes: null }
  const hours = ms / HOUR_MS
  const own = 0.1 * smoothNoise(model.terminalKey, hours / 60) + 0.11 * smoothNoise(key ^ 21, hours / 1.2)
  const load = demandAt(model.profile, clock.weekday, clock.hour) * airport.load * Math.exp(own) * incidentFactor(model)
  const jitter = 1 + 0.14 * (uniform(key ^ 22, Math.floor(ms / 300_000)) - 0.5)
  // The wait grows faster than the number of passengers.
  const wait = queue.scale * load ** 2.1 * jitter
  return { open: true, minutes: Math.round(MAX_MINUTES * (1 - Math.exp(-wait / MAX_MINUTES))) }
}

/** The factor of load of an incident (a broken belt, too few staff): on some days a terminal is slower for an hour or two. */
function incidentFactor({ terminalKey, airport }: ModelQueue): number {
  const { day, hour } = airport.clock
  if (uniform(terminalKey ^ 31, day) > INCIDENT_CHANCE) return 1
  const start = 4.5 + 15 * uniform(terminalKey ^ 32, day)
  const length = 0.7 + 1.8 * uniform(terminalKey ^ 33, day)
  const elapsed = (hour - start) / length
  if (elapsed < 0 || elapsed > 1) return 1
  return 1 + (0.25 + 0.5 * uniform(terminalKey ^ 34, day)) * Math.sin(Math.PI * elapsed)
}

/** Lanes are sometimes closed for a day or for two hours; a queue that is open around the clock never is. */
function isClosedUnplanned({ key, queue, airport }: ModelQueue, ms: number): boolean {
  if (queue.closes - queue.opens >= 24) return false
  return (
    uniform(key ^ 41, airport.clock.day) < CLOSED_DAY_CHANCE ||
    uniform(key ^ 42, Math.floor(ms / (2 * HOUR_MS))) < CLOSED_SPELL_CHANCE
  )
}

/** The state that the site publishes: for ten minutes at a time it may hide the queue or have no reading. */
function publishedStateOf(model: ModelQueue, { minutes }: QueueState, ms: number): PublishedState {
  const spell = Math.floor(ms / 600_000)
  if (model.queue.may_hide && uniform(model.key ^ 51, spell) < HIDDEN_CHANCE) return { state: 'hidden', minutes: null }
  if (minutes === null) return { state: 'closed', minutes: null }
  if (uniform(model.key ^ 52, spell) < UNKNOWN_CHANCE) return { state: 'unknown', minutes: null }
  return { state: 'open', minutes }
}
