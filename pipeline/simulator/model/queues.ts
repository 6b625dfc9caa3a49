import { airportDirectory } from '../../../config/airports/directory.ts'
import { HOUR_MS } from '../../../config/domain.ts'
import { QUEUES } from '../catalogue/index.ts'
import type { Queue } from '../catalogue/queue.ts'
import { demandAt, type WeekProfile, weekProfile } from './demand.ts'
import { surgeOn } from './holidays.ts'
import { type WallClock, wallClock } from './local-clock.ts'
import { chance, drift, keyOf } from './noise.ts'
import { severity, stormAt } from './storms.ts'

/** What can be said of a queue at an instant. */
export interface QueueState {
  open: boolean
  /** Whole minutes; null while closed. */
  minutes: number | null
}

/** What its site publishes: `silent` is a queue without a reading, `hidden` one that the site does not show. */
export type Posting = { says: 'minutes'; minutes: number } | { says: 'closed' | 'silent' | 'hidden'; minutes: null }

export interface World {
  seed: number
  waitAt: (queueId: string, ms: number) => QueueState
  postedAt: (queueId: string, ms: number) => Posting
}

interface Airport {
  key: number
  zone: string
  country: string
  latitude: number
  /** The state of the airport as a whole, kept for the instant last asked for: all its queues ask for the same one. */
  at: number
  clock: WallClock
  level: number
}

interface Member {
  queue: Queue
  airport: Airport
  key: number
  terminalKey: number
  profile: WeekProfile
}

/** A wait beyond this many minutes is cut back more and more: people give up, lanes are opened. */
const PATIENCE = 95
const SILENT_CHANCE = 0.006
const HIDDEN_CHANCE = 0.004
const SHUT_DAY_CHANCE = 0.015
const SHUT_SPELL_CHANCE = 0.008
const INCIDENT_CHANCE = 0.06

/**
 * A world of queues that is a pure function of seed and instant: nothing is stored, so the history of any day can be told at any
 * time and agrees with what was live. Waits follow the hour of the week, drift from day to day and hour to hour, rise before
 * holidays, in storms and after incidents: enough for a model to learn, too much for a table of medians.
 */
export function createWorld(seed: number): World {
  const airports = new Map<string, Airport>()
  const members = new Map<string, Member>()
  for (const queue of QUEUES) {
    const airport = airports.get(queue.iata) ?? newAirport(seed, queue.iata)
    airports.set(queue.iata, airport)
    const key = keyOf(`${seed} ${queue.id}`)
    const terminalKey = keyOf(`${seed} ${queue.iata} ${queue.terminal || queue.checkpoint}`)
    members.set(queue.id, { queue, airport, key, terminalKey, profile: weekProfile(airport.key, key) })
  }
  const member = (id: string): Member => {
    const found = members.get(id)
    if (!found) throw new Error(`no queue ${id} in the simulated world`)
    return found
  }
  const stateAt = (id: string, ms: number) => stateOf(seed, member(member(id).queue.mirrors ?? id), ms)
  return {
    seed,
    waitAt: stateAt,
    postedAt: (id, ms) => postingOf(member(id), stateAt(id, ms), ms),
  }
}

function newAirport(seed: number, iata: string): Airport {
  const place = airportDirectory().byIata.get(iata)
  if (!place) throw new Error(`${iata} is not in the airport directory`)
  const { timezone: zone, country, latitude } = place
  const key = keyOf(`${seed} ${iata}`)
  return { key, zone, country, latitude, at: Number.NaN, clock: wallClock(zone, 0), level: 1 }
}

/** Brings the airport to an instant: slow drift over days, quick drift over hours, holidays, storms. */
function advance(seed: number, { queue, airport }: Member, ms: number): void {
  if (airport.at === ms) return
  const { key } = airport
  const clock = wallClock(airport.zone, ms)
  const hours = ms / HOUR_MS
  const days = 0.11 * drift(key ^ 11, hours / 150) + 0.1 * drift(key ^ 12, hours / 30)
  const weather = 1 + 0.3 * severity(stormAt(seed, queue.iata, airport.latitude, ms), ms)
  airport.level = Math.exp(days + 0.07 * drift(key ^ 13, hours / 3)) * surgeOn(airport.country, clock.day) * weather
  airport.clock = clock
  airport.at = ms
}

function stateOf(seed: number, member: Member, ms: number): QueueState {
  const { queue, airport, key } = member
  advance(seed, member, ms)
  const { clock, level } = airport
  if (clock.hour < queue.opens || clock.hour >= queue.closes || shut(member, ms)) return { open: false, minutes: null }
  const hours = ms / HOUR_MS
  const own = 0.1 * drift(member.terminalKey, hours / 60) + 0.11 * drift(key ^ 21, hours / 1.2)
  const load = demandAt(member.profile, clock.weekday, clock.hour) * level * Math.exp(own) * incident(member)
  const jitter = 1 + 0.14 * (chance(key ^ 22, Math.floor(ms / 300_000)) - 0.5)
  // A queue grows faster than the crowd before it.
  const wait = queue.scale * load ** 2.1 * jitter
  return { open: true, minutes: Math.round(PATIENCE * (1 - Math.exp(-wait / PATIENCE))) }
}

/** A belt breaks, a shift is short: for an hour or two some terminal is slower. Its factor on the load. */
function incident({ terminalKey, airport }: Member): number {
  const { day, hour } = airport.clock
  if (chance(terminalKey ^ 31, day) > INCIDENT_CHANCE) return 1
  const start = 4.5 + 15 * chance(terminalKey ^ 32, day)
  const length = 0.7 + 1.8 * chance(terminalKey ^ 33, day)
  const life = (hour - start) / length
  if (life < 0 || life > 1) return 1
  return 1 + (0.25 + 0.5 * chance(terminalKey ^ 34, day)) * Math.sin(Math.PI * life)
}

/** Lanes stay shut for a day, or for two hours; the only queue of a large hall does not. */
function shut({ key, queue, airport }: Member, ms: number): boolean {
  if (queue.closes - queue.opens >= 24) return false
  return (
    chance(key ^ 41, airport.clock.day) < SHUT_DAY_CHANCE ||
    chance(key ^ 42, Math.floor(ms / (2 * HOUR_MS))) < SHUT_SPELL_CHANCE
  )
}

function postingOf(member: Member, { minutes }: QueueState, ms: number): Posting {
  const spell = Math.floor(ms / 600_000)
  if (member.queue.may_hide && chance(member.key ^ 51, spell) < HIDDEN_CHANCE) return { says: 'hidden', minutes: null }
  if (minutes === null) return { says: 'closed', minutes: null }
  if (chance(member.key ^ 52, spell) < SILENT_CHANCE) return { says: 'silent', minutes: null }
  return { says: 'minutes', minutes }
}
