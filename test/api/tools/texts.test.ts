import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { TOOLS } from '../../../bin/service/registry.ts'
import { type QueueWait, UNKNOWN_STATUS } from '../../../config/answer-schemas.ts'
import { projectFile } from '../../../config/paths.ts'
import { localClock } from '../../../config/time-zones/local-time.ts'
import { HOUR_MS, isoUtc, type Tier } from '../../../config/vocabulary.ts'
import type { BorderForecast } from '../../../warehouse/publishing/read/border-forecasts.ts'
import type { Closure } from '../../../warehouse/publishing/read/delays.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'
import { type LearnedHours, learnHours, UNKNOWN_OPEN } from '../../../warehouse/publishing/waits/learned-hours.ts'
import { withReopening } from '../../../warehouse/publishing/waits/status-by-hours.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import {
  borderForecastFrom,
  CLOSED_AT_NIGHT,
  closedUnknown,
  closedUntil,
  type FakeSnapshotContent,
  fakeAlert,
  fakeAlerts,
  fakeSnapshot,
  forecastFrom,
  historyOf,
  measured,
  NOTHING,
  UNSUPPORTED,
} from '../fake-snapshot.ts'
import { callOf } from './run-tool.ts'

/** What the text of a tool says in situations in which a careless sentence would mislead. */

/** A call, and what its text says and does not say: texts as they stand, or patterns. `texts.json` and the files of `texts/` have the cases by title. */
interface Case {
  tool: string
  input: object
  /** @default 'free' */
  tier?: Tier
  /** A name of `SITUATIONS`; without one it is the example's snapshot. */
  situation?: string
  says?: string[]
  matches?: string[]
  never_says?: string[]
  never_matches?: string[]
  /** Fields of the structured answer. */
  gives?: object
}

const example = exampleContent()

const typical: QueueWait = {
  ...NOTHING,
  ...UNKNOWN_STATUS,
  average_wait_minutes: 5,
  unavailable_reason: null,
  basis: 'typical',
  source: 'prior:2026',
}

/** Security that is open from 04:00 to 22:00 every day. */
const open = Array.from({ length: 168 }, (_, hour) => (hour % 24 >= 4 && hour % 24 < 22 ? 100 : 0))
const ROUND_HOURS: LearnedHours = {
  timezone: 'America/New_York',
  days: 28,
  from: '2026-10-24',
  to: '2026-11-20',
  open,
  opens: open,
  minute: Array(24).fill(0),
  observed_days: Array(24).fill(28),
}
const hoursBack = (days: number) =>
  Array.from({ length: days * 24 }, (_, back) => THIS_HOUR - (back + 1) * HOUR_MS).reverse()

/** Four weeks of a queue that opens at 03:20 and closes at 22:30 local time, as a source read every ten minutes tells them. */
const HOURS = learnHours(
  hoursBack(28)
    .toReversed()
    .map((hour) => {
      const local = localClock('America/New_York', [hour]).hour[0]!
      const open_slots = { 3: 4, 22: 3 }[local] ?? (local > 3 && local < 22 ? 6 : 0)
      const opened = local === 3 ? hour + 20 * 60_000 : hour
      return { hour, slots: 6, open_slots, first_open_at: open_slots > 0 ? opened : null, follows_closure: local === 3 }
    }),
  'America/New_York',
)!
const withHours = (snapshot: Snapshot, hours: LearnedHours): Snapshot => ({
  ...snapshot,
  openingHours: () => ({ iata: 'JFK', terminal: '', kind: 'security', ...hours }),
})

/** A measured wait of several terminals, each with one standard lane. */
function byTerminal(average: number, waits: Record<string, number | null>): QueueWait {
  const whole = measured(NOW, average)
  const [{ checkpoints, ...terminal }] = whole.terminals as [(typeof whole.terminals)[0]]
  const terminals = Object.entries(waits).map(([name, wait_minutes]) => {
    const base = { ...terminal, terminal: name, wait_minutes }
    if (wait_minutes === null) return { ...base, ...closedUnknown(NOW), wait_minutes, checkpoints: [] }
    return { ...base, checkpoints: checkpoints.map((lane) => ({ ...lane, wait_minutes, range: null })) }
  })
  return { ...whole, terminals }
}

/** A measured wait of one terminal with two checkpoints. */
function byCheckpoint(average: number, low: number, high: number): QueueWait {
  const whole = measured(NOW, average)
  const [terminal] = whole.terminals as [(typeof whole.terminals)[0]]
  const [lane] = terminal.checkpoints as [(typeof terminal.checkpoints)[0]]
  const checkpoints = [low, high].map((wait_minutes, index) => ({
    ...lane,
    checkpoint: `Gate ${index + 1}`,
    wait_minutes,
    range: null,
  }))
  return { ...whole, terminals: [{ ...terminal, wait_minutes: average, checkpoints }] }
}

/** 02:00 and 02:30 in New York; it is 09:30 in Zurich then. */
const NIGHT = Date.parse('2026-11-21T07:00:00Z')
const LATER = Date.parse('2026-11-21T07:30:00Z')
const closedAtNight = withReopening(closedUntil(NIGHT, '2026-11-21T07:00:00Z'), HOURS, NIGHT)

const closedLater: QueueWait = {
  ...measured(NOW, 0),
  average_wait_minutes: null,
  status: 'closed',
  unavailable_reason: 'closed',
  reopens_at: '2026-11-21T19:20:00Z',
  reopens_basis: 'measured',
  terminals: [],
}

const closure = (over: Partial<Closure>): Closure => ({
  reason: 'AD AP CLSD',
  start: null,
  end: null,
  closed_to_airlines: false,
  closed_hours_utc: null,
  closed_hours_local: null,
  in_force: false,
  ...over,
})
const atNight = (status: 'closed' | 'normal', over: Partial<Closure>) => {
  const nightly = closure({
    reason: '!JFK 11/021 JFK AD AP CLSD DLY 0600-1430 2611010600-2611301430',
    start: '2026-11-01T06:00:00Z',
    end: '2026-11-30T14:30:00Z',
    closed_to_airlines: true,
    closed_hours_utc: '0600-1430',
    closed_hours_local: 'every night from 01:00 to 09:30',
    in_force: true,
    ...over,
  })
  return { delays: { JFK: { ...example.delays!.JFK!, status, programs: [], closures: [nightly] } } }
}
const programsOf = (type: 'ground_delay' | 'departure_delay') => {
  const jfk = example.delays!.JFK!
  const programs = jfk.programs.map((program) => ({ ...program, type }))
  return { delays: { ...example.delays, JFK: { ...jfk, programs } } }
}
const NO_DELAY = {
  JFK: { ...UNSUPPORTED, supported: true, status: 'normal' as const },
}
const report = example.weather!.KJFK!
const reported = (over: object) => ({ weather: { KJFK: { ...report, ...over } } })
const weather = (over: object) => fakeSnapshot(NOW, reported(over))
const alertsOf = (...alerts: ReturnType<typeof fakeAlert>[]) => ({ weatherAlerts: { LGA: fakeAlerts(NOW, alerts) } })
const waits = (queues: Record<string, QueueWait>) =>
  snapshotAt(NOW, {
    queues: Object.fromEntries(Object.entries(queues).map(([iata, wait]) => [`${iata} security`, wait])),
    delays: {},
  })

const adjusted_to = {
  wait_minutes: 14,
  expected_minutes: 9,
  basis: 'measured' as const,
  observed_at: '2026-11-21T13:58:00Z',
  source: 'panynj',
}

const typicalOf = (minutes: number): QueueWait => ({
  ...measured(NOW, minutes),
  basis: 'typical',
  observed_at: null,
  age_seconds: null,
  freshness: null,
  terminals: [],
})
const closedUntilMorning: QueueWait = { ...closedLater, reopens_at: '2026-11-22T09:00:00Z' }
const TWO_WAITS = { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 9) }
const withAlerts = (alerts: Record<string, Parameters<typeof fakeAlert>[1]>) =>
  snapshotAt(NOW, {
    delays: {},
    queues: TWO_WAITS,
    weatherAlerts: Object.fromEntries(
      Object.entries(alerts).map(([iata, over]) => [iata, fakeAlerts(NOW, [fakeAlert(NOW, over)])]),
    ),
  })
const closedToAirlines = (end: string | null) => ({
  ...example.delays!.JFK!,
  status: 'closed' as const,
  programs: [],
  closures: [{ ...CLOSED_AT_NIGHT, closed_hours_utc: null, closed_hours_local: null, in_force: true, end }],
})

/** Arrivals at JFK: none in the third hour, the longest wait five hours ahead, a longer one after more than a day. */
const ARRIVALS = Array.from({ length: 168 }, (_, hour) => {
  const p50 = { 6: 38.4, 30: 90 }[hour] ?? 17.2
  return hour === 3 ? null : { p10: p50 - 8, p50, p90: p50 + 14, samples: 25, confidence: 0.48 }
})
const arrivals = (over: Partial<BorderForecast> = {}) =>
  borderForecastFrom(THIS_HOUR - HOUR_MS, { hours: ARRIVALS, ...over })
const alike = ARRIVALS.map(() => ({ p10: 4, p50: 20, p90: 70, samples: null, confidence: null }))
const MORNING = Date.parse('2026-11-21T09:00:00Z')
const laGuardia = (weather: string): FakeSnapshotContent => ({
  weather: {
    KLGA: { ...report, icao: 'KLGA', wind_gust_kt: null, ceiling_ft: 1_500, flight_category: 'MVFR', weather },
  },
  delays: { LGA: example.delays!.LGA! },
  queues: { 'LGA security': measured(NOW, 9) },
})

const SITUATIONS: Record<string, Snapshot> = {
  'arrivals at JFK': snapshotAt(NOW, { borderForecasts: [arrivals()] }),
  'an hour in which nobody arrives': snapshotAt(NOW, {
    borderForecasts: [arrivals({ hours: ARRIVALS.with(1, null) })],
  }),
  'a measured wait at passport control': snapshotAt(NOW, {
    queues: { 'JFK immigration': measured(NOW, 41) },
    borderForecasts: [arrivals()],
  }),
  'a border alike at all hours': snapshotAt(NOW, {
    borderForecasts: [
      arrivals({ iata: 'ZRH', direction: 'entry', basis: 'typical', hours: alike }),
      arrivals({ iata: 'ZRH', direction: 'exit' }),
    ],
  }),
  'closed passport control': snapshotAt(NOW, {
    queues: { 'JFK immigration': closedUnknown(NOW) },
    borderForecasts: [arrivals()],
  }),
  'Aspen closed by night, with its queues': snapshotAt(MORNING, {
    delays: {
      ASE: { ...example.delays!.LGA!, status: 'closed', closures: [{ ...CLOSED_AT_NIGHT, in_force: true }] },
    },
    queues: { 'ASE security': closedUnknown(MORNING), 'ASE immigration': closedUnknown(MORNING) },
  }),
  'flights held for another airport': snapshotAt(NOW, {
    delays: {
      YYZ: {
        ...UNSUPPORTED,
        programs: example.delays!.JFK!.programs.map((program) => ({ ...program, destination: 'JFK' })),
      },
    },
  }),
  'a short wait of hours ago': snapshotAt(NOW, {
    queues: { 'LGA security': { ...measured(NOW, 4), age_seconds: 3 * 3_600, freshness: 'stale' } },
  }),
  mist: snapshotAt(NOW, laGuardia('BR')),
  'light snow': snapshotAt(NOW, laGuardia('-SN')),
  'security of which only the closing at 23:00 is known': snapshotAt(NOW, {
    forecasts: [
      {
        ...forecastFrom('JFK', THIS_HOUR),
        open: Uint8Array.from({ length: 168 }, (_, ahead) => (ahead % 24 >= 14 && ahead % 24 < 20 ? 0 : UNKNOWN_OPEN)),
      },
    ],
  }),
  'a gale': weather({ wind_kt: 44, wind_gust_kt: 61 }),
  'strong gusts': weather({ wind_gust_kt: 34 }),
  'freezing rain in low cloud': weather({ weather: '-FZRA', wind_gust_kt: 34, flight_category: 'IFR' }),
  'light snow in fog': weather({ weather: '-SN', flight_category: 'LIFR' }),
  'a report without wind': weather({ wind_kt: null, wind_gust_kt: null }),
  'a report of little but a snow storm': weather({
    wind_kt: null,
    visibility_sm: null,
    visibility_bound: null,
    ceiling_known: false,
    flight_category: null,
    weather: '+TSRA BLSN',
    raw: 'KJFK 211351Z AUTO /////KT //// +TSRA BLSN ////// 06/M03 A3002 R/SNOCLO',
  }),
  'a closure to other aircraft, and one tonight': snapshotAt(NOW, {
    delays: {
      ...example.delays,
      LAX: { ...example.delays!.LGA!, closures: [closure({})] },
      ASE: {
        ...example.delays!.LGA!,
        closures: [closure({ closed_to_airlines: true, closed_hours_local: 'every night from 23:00 to 06:30' })],
      },
    },
  }),
  'a ground delay': snapshotAt(NOW, programsOf('ground_delay')),
  'a departure delay': snapshotAt(NOW, programsOf('departure_delay')),
  'the feed of the FAA was not read lately': {
    ...snapshotAt(NOW, { flowPrograms: [] }),
    delays: () => ({ ...UNSUPPORTED, supported: true, unavailable_reason: 'Not read lately.' }),
    delayedAirports: () => [],
  },
  'a blizzard warning': snapshotAt(NOW, alertsOf(fakeAlert(NOW))),
  'a wind advisory': snapshotAt(NOW, alertsOf(fakeAlert(NOW, { event: 'Wind Advisory', effect: 'slows' }))),
  'no alerts': snapshotAt(NOW, alertsOf()),
  'closed every night, and now': snapshotAt(NOW, atNight('closed', {})),
  'closed every night, and open now': snapshotAt(NOW, atNight('normal', { in_force: false })),
  'closed without hours': snapshotAt(NOW, atNight('closed', { closed_hours_utc: null, closed_hours_local: null })),
  'no delay, but gusts': snapshotAt(NOW, { ...reported({ wind_gust_kt: 37 }), delays: NO_DELAY }),
  'gusts where the FAA does not look': snapshotAt(NOW, {
    ...reported({ wind_gust_kt: 37 }),
    delays: { JFK: UNSUPPORTED },
  }),
  'no delay, and calm five hours ago': snapshotAt(NOW, {
    ...reported({ wind_gust_kt: null, wind_kt: 5, age_seconds: 18_000, freshness: 'stale' }),
    delays: NO_DELAY,
  }),
  'no delay, and calm': snapshotAt(NOW, { ...reported({ wind_gust_kt: null, wind_kt: 5 }), delays: NO_DELAY }),
  'a typical wait at night': snapshotAt(LATER, { queues: { 'BRD security': typical, 'ZRH security': typical } }),
  'a typical wait of an open queue at night': snapshotAt(LATER, {
    queues: { 'BRD security': { ...typical, status: 'open' } },
  }),
  'security that opens at 03:20': withHours(snapshotAt(NIGHT, { queues: { 'JFK security': closedAtNight } }), HOURS),
  'security from 04:00 to 22:00': withHours(snapshotAt(), ROUND_HOURS),
  'security from 03:20 to 22:30': withHours(snapshotAt(), HOURS),
  'a short queue at the only terminal of the source': snapshotAt(NOW, {
    ...reported({ wind_gust_kt: null, wind_kt: 5 }),
    delays: NO_DELAY,
    queues: { 'JFK security': byTerminal(2, { T2: 2 }) },
  }),
  'a checkpoint that opens later': snapshotAt(NOW, { queues: { 'JFK security': closedLater } }),
  'four weeks of history alone': snapshotAt(NOW, {
    history: [historyOf('JFK', hoursBack(28), () => 70)],
    forecasts: [],
  }),
  'a forecast that follows a measured wait': snapshotAt(NOW, {
    forecasts: [{ ...forecastFrom('JFK', THIS_HOUR), adjusted_to }],
    queues: {},
  }),
  'a forecast of the airport': snapshotAt(NOW, { forecasts: [forecastFrom('JFK', THIS_HOUR)] }),
  'a history of three terminals': snapshotAt(NOW, {
    history: ['', '4', 'Main hall'].map((terminal) => historyOf('JFK', hoursBack(2), () => 70, terminal)),
  }),
  'waits of 14, 13 and 40 min': waits({ JFK: measured(NOW, 14), LGA: measured(NOW, 13), ZRH: measured(NOW, 40) }),
  'one known wait': snapshotAt(NOW, { queues: { 'JFK security': measured(NOW, 14) } }),
  'waits of 20 and 9 min': waits({ JFK: measured(NOW, 20), LGA: measured(NOW, 9) }),
  'waits of 1 and 2 min': waits({ JFK: measured(NOW, 1), LGA: measured(NOW, 2) }),
  'a wait of 9 min, and typical ones of 20 min': waits({ JFK: measured(NOW, 9), LGA: typicalOf(20) }),
  'waits of 9 and 3 min, and a typical one of 6': waits({
    JFK: measured(NOW, 9),
    LGA: measured(NOW, 3),
    GRU: typicalOf(6),
  }),
  'a wait of three hours ago': snapshotAt(NOW, {
    queues: { 'JFK security': { ...measured(NOW, 14), age_seconds: 3 * 3_600, freshness: 'stale' } },
  }),
  'a short queue under a ground delay, and a long one': snapshotAt(NOW, {
    queues: { 'JFK security': measured(NOW, 3), 'LGA security': measured(NOW, 25) },
  }),
  'a ground delay at JFK and LGA': snapshotAt(NOW, {
    delays: { ...example.delays, JFK: example.delays!.JFK!, LGA: example.delays!.JFK! },
    queues: { 'EWR security': measured(NOW, 9) },
  }),
  'a ground delay at LGA that begins later, and a longer queue at JFK': snapshotAt(NOW, {
    delays: {
      JFK: example.delays!.LGA!,
      LGA: {
        ...example.delays!.LGA!,
        programs: [
          { ...example.delays!.JFK!.programs[0]!, start: '2026-11-21T23:00:00Z', end: '2026-11-22T02:59:00Z' },
        ],
      },
    },
    queues: { 'JFK security': measured(NOW, 25), 'LGA security': measured(NOW, 4) },
  }),
  'a closed queue, and a long one': waits({ JFK: closedUntilMorning, LGA: measured(NOW, 25) }),
  'closed queues that open at 04:00 and 05:00': waits({
    JFK: closedUntilMorning,
    LGA: { ...closedUntilMorning, reopens_at: '2026-11-22T10:00:00Z' },
  }),
  'closed queues of which one opens at 04:00': waits({
    JFK: closedUntilMorning,
    LGA: { ...closedUntilMorning, reopens_at: null },
  }),
  'a closed queue, and a typical one at night': snapshotAt(Date.parse('2026-11-22T07:00:00Z'), {
    delays: {},
    queues: { 'JFK security': closedUntilMorning, 'LGA security': { ...typicalOf(4), status: 'unknown' } },
  }),
  'a blizzard warning at LGA': withAlerts({ LGA: {} }),
  'a blizzard warning at both': withAlerts({ JFK: {}, LGA: {} }),
  'an alert at LGA that only slows': withAlerts({ LGA: { effect: 'slows' } }),
  'an alert at LGA for later': withAlerts({ LGA: { onset: isoUtc(NOW + 3 * HOUR_MS) } }),
  'two airports closed to airlines': snapshotAt(NOW, {
    queues: TWO_WAITS,
    delays: { JFK: closedToAirlines(null), LGA: closedToAirlines('2026-11-21T20:00:00Z') },
  }),
  'fog abroad': snapshotAt(NOW, {
    weather: { RJAA: { ...report, icao: 'RJAA', flight_category: 'IFR' } },
    queues: { 'NRT security': measured(NOW, 14) },
  }),
  'four weather alerts': snapshotAt(NOW, {
    weatherAlerts: {
      JFK: fakeAlerts(NOW, [
        fakeAlert(NOW),
        fakeAlert(NOW, { event: 'Wind Advisory', effect: 'slows', ends: null }),
        fakeAlert(NOW, { event: 'Flood Watch', effect: 'may_come' }),
        fakeAlert(NOW, { event: 'Heat Advisory', effect: 'slows' }),
      ]),
    },
  }),
  'no scheduled flights and no delay': snapshotAt(NOW, { delays: { OGA: example.delays!.LGA! } }),
  '5 to 19 min by terminal at LGA': snapshotAt(NOW, { queues: { 'LGA security': byTerminal(9, { A: 5, B: 19 }) } }),
  '26 to 51 min by terminal at LGA': snapshotAt(NOW, { queues: { 'LGA security': byTerminal(38, { A: 26, B: 51 }) } }),
  '5 to 19 min by terminal, and 9': waits({ JFK: byTerminal(9, { 1: 5, 4: 19 }), LGA: measured(NOW, 9) }),
  '3 min, and 3 to 9 and 3 to 7 by terminal': waits({
    JFK: byTerminal(6, { 1: 3, 4: 7 }),
    EWR: byTerminal(5, { A: 3, B: 9 }),
    LGA: measured(NOW, 3),
  }),
  '6 to 17 min by checkpoint, and 9': waits({ JFK: byCheckpoint(9, 6, 17), LGA: measured(NOW, 9) }),
  '6 to 17 min by checkpoint, and 30': waits({ JFK: byCheckpoint(12, 6, 17), LGA: measured(NOW, 30) }),
  'a typical wait, and none': waits({ JFK: typicalOf(5), LGA: NOTHING }),
  'the border alone': snapshotAt(NOW, {
    delays: NO_DELAY,
    forecasts: [],
    queues: { 'JFK immigration': measured(NOW, 33) },
  }),
  'three ranges, of which the last overlaps the second': waits({
    JFK: byTerminal(31, { 1: 47, 4: 14 }),
    LGA: byTerminal(18, { A: 16, B: 20 }),
    EWR: byTerminal(34, { A: 26, B: 43 }),
  }),
  '5 to 19 min by terminal, and 30': waits({ JFK: byTerminal(9, { 1: 5, 4: 19 }), LGA: measured(NOW, 30) }),
  '5 to 19 min by terminal, and one closed': snapshotAt(NOW, {
    queues: { 'JFK security': byTerminal(9, { 1: 5, 4: 19, 5: null }) },
  }),
}

const casesOf = (file: string) =>
  Object.entries<Case[]>(JSON.parse(readFileSync(projectFile('test/api/tools', file), 'utf8')))

/** Cases of several tools by title, then those of one tool, which is the name of the file. */
const CASES = [
  ...casesOf('texts.json'),
  ...readdirSync(projectFile('test/api/tools/texts')).flatMap((file) =>
    casesOf(`texts/${file}`).map(([title, cases]): [string, Case[]] => {
      const tool = file.replace('.json', '')
      return [`${tool}: ${title}`, cases.map((row) => ({ ...row, tool }))]
    }),
  ),
]

test.each(CASES)('%s', (_title, cases) => {
  for (const { tool: name, input, tier = 'free', situation, gives = {}, ...words } of cases) {
    const tool = TOOLS.find((candidate) => candidate.name === name)!
    const snapshot = situation === undefined ? snapshotAt() : SITUATIONS[situation]
    const { text, structured } = callOf<object>(tool, input, tier, snapshot)
    expect(text).not.toMatch(/\n\s*\n/)
    for (const part of words.says ?? []) expect(text).toContain(part)
    for (const pattern of words.matches ?? []) expect(text).toMatch(new RegExp(pattern))
    for (const part of words.never_says ?? []) expect(text).not.toContain(part)
    for (const pattern of words.never_matches ?? []) expect(text).not.toMatch(new RegExp(pattern))
    expect(structured).toMatchObject(gives)
  }
})

test('every situation is used by a case', () => {
  const used = CASES.flatMap(([, cases]) => cases.flatMap(({ situation }) => situation ?? []))
  expect([...new Set(used)].sort()).toEqual(Object.keys(SITUATIONS).sort())
})
