import { expect, test } from 'vitest'
import { closedToAirlines, closureSentences, closureText, noWaitText } from '../../../answers/statements/closure.ts'
import { delayNews, delayNewsText, laterText, programInFull } from '../../../answers/statements/delay-news.ts'
import { delayLines, delaySummary } from '../../../answers/statements/delay-text.ts'
import { NO_PROVENANCE } from '../../../config/answer-schemas.ts'
import type { Closure, DelayProgram, DelayState } from '../../../warehouse/publishing/read/delays.ts'

const TIMEZONE = 'America/Los_Angeles'

const CLOSURE: Closure = {
  reason: null,
  start: null,
  end: null,
  closed_to_airlines: true,
  closed_hours_utc: null,
  closed_hours_local: null,
  in_force: false,
}

/** From 22:00 to 05:30 by the clock of Los Angeles. */
const BY_NIGHT = { closed_hours_utc: '0600-1330', closed_hours_local: 'every night from 22:00 to 05:30' }
test.each<[string, Partial<Closure>, string]>([
  [
    'by night, not now',
    { ...BY_NIGHT, start: '2026-11-01T06:00:00Z', end: '2026-11-30T13:30:00Z' },
    'Open to airlines now; closed to them every night from 22:00 to 05:30 local time, until 30 Nov.',
  ],
  [
    'by night from a later day on',
    { ...BY_NIGHT, start: '2026-12-01T06:00:00Z' },
    'Open to airlines now; closed to them every night from 22:00 to 05:30 local time, from 30 Nov on.',
  ],
  [
    'for some hours of a later day',
    { start: '2026-11-28T22:00:00Z', end: '2026-11-29T02:00:00Z' },
    'Open to airlines now; closed to them from Sat 28 Nov 14:00 to 18:00 local time.',
  ],
  [
    'for some hours of this day',
    { start: '2026-11-20T22:00:00Z', end: '2026-11-21T02:00:00Z' },
    'Open to airlines now; closed to them from 14:00 to 18:00 local time.',
  ],
  ['now, until an hour of this day', { end: '2026-11-21T02:00:00Z' }, 'Closed to airlines until 18:00 local time.'],
  [
    'by night for the last time today',
    { ...BY_NIGHT, end: '2026-11-21T07:00:00Z' },
    'Open to airlines now; closed to them every night from 22:00 to 05:30 local time, until today.',
  ],
  ['now, without an end', {}, 'Closed to airlines; until when is not known.'],
  [
    'to other aircraft',
    { closed_to_airlines: false },
    'A closure is listed for other aircraft; airlines are not shut out.',
  ],
])('an airport closed %s', (_, over, text) => {
  const { now, later } = closureSentences([{ ...CLOSURE, ...over }], TIMEZONE, Date.parse('2026-11-20T20:00:00Z'))
  expect([...now, ...later]).toEqual([text])
})

/** By night, and round the clock until 18:00 of the next day: at 02:00 of 20 Nov in Los Angeles. */
const NIGHT = Date.parse('2026-11-20T10:00:00Z')
const EVERY_NIGHT: Closure = { ...CLOSURE, ...BY_NIGHT, start: '2026-11-01T06:00:00Z', end: '2026-11-30T13:30:00Z' }
const ALL_DAY: Closure = { ...CLOSURE, start: '2026-11-20T08:00:00Z', end: '2026-11-22T02:00:00Z', reason: 'runway' }
test.each<[string, Closure[], string, string[], string[]]>([
  [
    'by night and for a day: the day decides, the nights come after it',
    [EVERY_NIGHT, ALL_DAY],
    'closed to airlines until 18:00 on Sat 21 Nov (then every night from 22:00 to 05:30 until 30 Nov)',
    [
      'Closed to airlines until 18:00 on Sat 21 Nov local time (runway).',
      'Also closed to airlines every night from 22:00 to 05:30 local time, until 30 Nov.',
    ],
    [],
  ],
  [
    'by night and for a part of it: the night decides',
    [{ ...ALL_DAY, end: '2026-11-20T12:00:00Z' }, EVERY_NIGHT],
    'closed to airlines until 05:30 (every night until 30 Nov)',
    [
      'Closed to airlines until 05:30: every night from 22:00 to 05:30 local time, until 30 Nov.',
      'Also closed to airlines until 04:00 local time (runway).',
    ],
    [],
  ],
  [
    'for a part of the night, and by nights that begin before it ends',
    [
      { ...ALL_DAY, end: '2026-11-20T10:30:00Z' },
      { ...EVERY_NIGHT, closed_hours_utc: '1015-1330', closed_hours_local: 'every night from 02:15 to 05:30' },
    ],
    'closed to airlines until 05:30 (every night until 30 Nov)',
    [
      'Closed to airlines until 05:30: every night from 02:15 to 05:30 local time, until 30 Nov.',
      'Also closed to airlines until 02:30 local time (runway).',
    ],
    [],
  ],
  [
    'for the last night',
    [{ ...EVERY_NIGHT, end: '2026-11-20T13:30:00Z' }],
    'closed to airlines until 05:30',
    ['Closed to airlines until 05:30 local time.'],
    [],
  ],
  [
    'by night, and later for a day',
    [EVERY_NIGHT, { ...ALL_DAY, start: '2026-11-20T20:00:00Z' }],
    'closed to airlines until 05:30 (every night until 30 Nov)',
    ['Closed to airlines until 05:30: every night from 22:00 to 05:30 local time, until 30 Nov.'],
    ['Also closed to airlines from 12:00 today to 18:00 on Sat 21 Nov local time (runway).'],
  ],
])('an airport that is closed twice: %s', (_, closures, short, now, later) => {
  for (const order of [closures, closures.toReversed()]) {
    expect(closureText(closedToAirlines(order, TIMEZONE, NIGHT)!)).toBe(short)
    expect(closureSentences(order, TIMEZONE, NIGHT)).toEqual({ now, later })
  }
})

test('the advice on an airport that is closed by night and for a day says until when, and both', () => {
  const closures = [EVERY_NIGHT, ALL_DAY].map((closure) => ({ ...closure, in_force: true }))
  const answer = { airport: 'SFO', supported: true, status: 'closed', summary: '', programs: [], closures }
  const [advice, ...rest] = delayLines(answer, '2026-11-20T10:00:00Z')
  expect(advice).toMatch(
    /^SFO is closed to airlines until 18:00 on Sat 21 Nov \(then every night from 22:00 to 05:30 until 30 Nov\): do not/,
  )
  expect(rest).toEqual(['Closed to airlines until 18:00 on Sat 21 Nov local time (runway).'])
})

test('a ground delay that begins later is none of now, and its hours are said', () => {
  const later = { ...PROGRAM, start: '2026-11-20T21:00:00Z', end: '2026-11-21T01:59:00Z' }
  const answer = { airport: 'SFO', supported: true, summary: '', closures: [] }
  const adviceOf = (status: string, programs: DelayProgram[]) =>
    delayLines({ ...answer, status, programs }, '2026-11-20T20:00:00Z')[0]
  expect(adviceOf('normal', [later])).toBe(
    'The FAA lists no delay at SFO now, but a ground delay from 13:00 to 17:59: ask the airline before you set out.',
  )
  expect(adviceOf('minor_delay', [later, { ...PROGRAM, type: 'arrival_delay', reason: 'wind' }])).toBe(
    'Flights at SFO are delayed for wind. Be on time: the airline decides for your flight. Later: a ground delay from 13:00 to 17:59.',
  )
  // It began after the snapshot from which the answer is.
  expect(adviceOf('ground_delay', [later])).toBe(
    'Ground delay at SFO for low clouds until 17:59: flights to SFO leave late. If you fly from SFO, be on time, for your flight may still leave as planned.',
  )
  const airport = { iata: 'SFO', timezone: TIMEZONE }
  expect(delayNews({ programs: [later], closures: [] }, airport, Date.parse('2026-11-20T20:00:00Z'))).toEqual({
    status: 'minor_delay',
    title: 'Ground delay from 13:00',
    line: 'flights to SFO wait 36 min on average, until 17:59 (low clouds)',
  })
})

const CLOSES_AT_22: Closure = { ...EVERY_NIGHT, in_force: false }
const LATE: DelayProgram['type'] = 'arrival_delay'
test.each<[string, string, Partial<DelayProgram>[], Closure[], { title: string; line: string } | null]>([
  [
    'a stop that begins during lesser delays',
    '2026-11-20T20:00:00Z',
    [{ type: LATE }, { type: 'ground_stop', start: '2026-11-20T21:30:00Z', end: '2026-11-20T23:00:00Z' }],
    [],
    {
      title: 'Delays',
      line: 'flights to SFO arrive late, 36 min on average (low clouds); then a ground stop from 13:30 to 15:00',
    },
  ],
  [
    'lesser delays that begin during a stop',
    '2026-11-20T20:00:00Z',
    [
      { type: 'ground_stop', average_minutes: null, max_minutes: null },
      { type: LATE, start: '2026-11-20T21:30:00Z' },
    ],
    [],
    { title: 'Ground stop', line: 'flights to SFO do not take off (low clouds)' },
  ],
  [
    'the hours of every night, two hours before',
    '2026-11-21T04:00:00Z',
    [],
    [CLOSES_AT_22],
    { title: 'Closes to airlines at 22:00', line: 'it opens again at 05:30 on Sat 21 Nov' },
  ],
  [
    'the same beside delays',
    '2026-11-21T04:00:00Z',
    [{ type: LATE, reason: null }],
    [CLOSES_AT_22],
    { title: 'Delays', line: 'flights to SFO arrive late, 36 min on average; then closed to airlines from 22:00' },
  ],
  ['the same in the morning', '2026-11-20T20:00:00Z', [], [CLOSES_AT_22], null],
  [
    'a closure of tomorrow without an end',
    '2026-11-20T20:00:00Z',
    [],
    [{ ...CLOSURE, closed_to_airlines: true, start: '2026-11-21T10:00:00Z', in_force: false }],
    { title: 'Closes to airlines at 02:00 on Sat 21 Nov', line: 'until when is not known' },
  ],
])('the news of what is ahead: %s', (_, now, programs, closures, news) => {
  const state = { programs: programs.map((over) => ({ ...PROGRAM, ...over })), closures }
  const said = delayNews(state, { iata: 'SFO', timezone: TIMEZONE }, Date.parse(now))
  expect(said && { title: said.title, line: said.line }).toEqual(news)
})

const PROGRAM: DelayProgram = {
  type: 'ground_delay',
  reason: 'low ceilings',
  average_minutes: 36,
  min_minutes: null,
  max_minutes: 95,
  trend: null,
  start: null,
  end: null,
  destination: null,
}
test.each<[string, Partial<DelayProgram>, string]>([
  [
    'an average with a maximum',
    { end: '2026-11-20T23:00:00Z' },
    'Ground delay: flights to LAX wait 36 min on average, up to 95 min, until 15:00 (low clouds).',
  ],
  [
    'a trend, and no end',
    { type: 'departure_delay', trend: 'increasing', average_minutes: null, min_minutes: 16, max_minutes: 30 },
    'Departures: flights from LAX leave late, 16 to 30 min, increasing, end not stated (low clouds).',
  ],
  [
    'for one destination, past its end',
    { type: 'ground_stop', destination: 'JFK', average_minutes: null, max_minutes: null, end: '2026-11-20T19:00:00Z' },
    'Ground stop of JFK: departures from here to JFK wait, due to end at 11:00 (low clouds).',
  ],
  [
    'that is listed before it begins',
    { start: '2026-11-20T21:00:00Z', end: '2026-11-21T01:59:00Z' },
    'Ground delay: flights to LAX wait 36 min on average, up to 95 min, from 13:00 to 17:59 (low clouds).',
  ],
  [
    'that has begun',
    { start: '2026-11-20T19:00:00Z', end: '2026-11-21T01:59:00Z' },
    'Ground delay: flights to LAX wait 36 min on average, up to 95 min, until 17:59 (low clouds).',
  ],
])('a program in full: %s', (_, over, text) => {
  const airport = { iata: 'LAX', timezone: TIMEZONE }
  expect(programInFull({ ...PROGRAM, ...over }, airport, Date.parse('2026-11-20T20:00:00Z'))).toBe(text)
})

const NIGHTLY: Closure = {
  ...CLOSURE,
  ...BY_NIGHT,
  reason: '!SFO 11/021 SFO AD AP CLSD EXC HEL DLY 0600-1330 2611010600-2611301330',
  start: '2026-11-01T06:00:00Z',
  end: '2026-11-30T13:30:00Z',
  in_force: true,
}
test.each<[string, Partial<DelayState>, string]>([
  ['of a program', { programs: [PROGRAM] }, 'Ground delay: flights to SFO wait 36 min on average (low clouds).'],
  [
    'of a program with an end, by the clock of the airport',
    { programs: [{ ...PROGRAM, end: '2026-11-20T23:30:00Z' }] },
    'Ground delay: flights to SFO wait 36 min on average, until 15:30 (low clouds).',
  ],
  [
    'of a program that goes on after its end',
    { programs: [{ ...PROGRAM, end: '2026-11-20T09:30:00Z' }] },
    'Ground delay: flights to SFO wait 36 min on average, due to end at 01:30 (low clouds).',
  ],
  [
    'of a program of another airport',
    { programs: [{ ...PROGRAM, average_minutes: 55, destination: 'SEA' }] },
    'Ground delay of SEA: departures from here to SEA wait 55 min on average (low clouds).',
  ],
  [
    'of a closure in force before a program',
    { closures: [NIGHTLY], programs: [{ ...PROGRAM, reason: null }] },
    'Closed to airlines until 05:30: every night from 22:00 to 05:30 local time, until 30 Nov (airport closed except helicopters). Ground delay: flights to SFO wait 36 min on average.',
  ],
  [
    'of two programs, the one that holds flights first',
    { programs: [{ ...PROGRAM, type: 'departure_delay', average_minutes: 20 }, PROGRAM] },
    'Ground delay: flights to SFO wait 36 min on average (low clouds). Departures: flights from SFO leave late, 20 min on average (same reason).',
  ],
  ['without any', {}, 'The FAA lists no delay now.'],
  ['of what is not known', { unavailable_reason: 'The FAA has not answered.' }, 'The FAA has not answered.'],
])('a summary %s', (_, over, text) => {
  const state: DelayState = {
    ...NO_PROVENANCE,
    supported: true,
    status: 'normal',
    unavailable_reason: null,
    programs: [],
    closures: [],
    ...over,
  }
  expect(delaySummary(state, { iata: 'SFO', timezone: TIMEZONE }, Date.parse('2026-11-20T10:00:00Z'))).toBe(text)
})

test.each<[string, Partial<Closure>, string]>([
  ['by night', NIGHTLY, 'Closed to airlines until 05:30 (every night until 30 Nov).'],
  ['without an end', { in_force: true }, 'Closed to airlines, until when is not known.'],
])('the news of an airport closed %s is one sentence', (_, over, text) => {
  const closures = [{ ...CLOSURE, ...over }]
  const now = Date.parse('2026-11-20T10:00:00Z')
  expect(delayNewsText({ programs: [], closures }, { iata: 'SFO', timezone: TIMEZONE }, now)).toBe(text)
})

test.each<[string, Partial<Closure>, boolean, string]>([
  [
    'by night',
    NIGHTLY,
    false,
    'closed to airlines until 05:30 (every night until 30 Nov): security may open shortly before, and no wait is given',
  ],
  [
    'by night',
    NIGHTLY,
    true,
    'closed to airlines until 05:30 (every night until 30 Nov): nobody waits at security now',
  ],
  ['without an end', { in_force: true }, false, 'closed to airlines, until when is not known: no wait is given'],
])('what is said of the wait at an airport closed %s', (_, over, isClosed, text) => {
  const closure = closedToAirlines([{ ...CLOSURE, ...over }], TIMEZONE, Date.parse('2026-11-20T10:00:00Z'))!
  expect(noWaitText(closure, isClosed)).toBe(text)
})

test.each<[string, Partial<DelayProgram>[], Closure[], string | null]>([
  ['a program', [{ start: '2026-11-21T05:00:00Z' }], [], 'a ground delay from 21:00'],
  ['a closure', [], [CLOSES_AT_22], 'closed to airlines from 22:00'],
  [
    'both',
    [{ start: '2026-11-21T05:00:00Z' }],
    [CLOSES_AT_22],
    'a ground delay from 21:00 and closed to airlines from 22:00',
  ],
  ['a program that has begun', [{}], [], null],
])('what begins later at an airport: %s', (_, programs, closures, text) => {
  const listed = { programs: programs.map((over) => ({ ...PROGRAM, ...over })), closures }
  expect(laterText(listed, TIMEZONE, Date.parse('2026-11-21T04:00:00Z'))).toBe(text)
})

test.each<[string, string, string]>([
  [
    'within a day',
    '2026-11-20T12:00:00Z',
    'but it closes to airlines within a day: ask the airline before you set out.',
  ],
  ['after days', '2026-11-28T22:00:00Z', 'the weather, an airline’s own delays and later ones are not known here.'],
])('what to do where airlines are shut out %s', (_, start, advice) => {
  const closures = [{ ...CLOSURE, start, end: '2026-11-30T13:30:00Z' }]
  const answer = { airport: 'SFO', supported: true, status: 'normal', summary: '', programs: [], closures }
  expect(delayLines(answer, '2026-11-20T10:00:00Z')[0]).toContain(advice)
})

test.each<[string, Partial<Parameters<typeof delayLines>[0]>, RegExp]>([
  ['the weather was not asked about', {}, /now; the weather, an airline’s own delays/],
  [
    'neither a report nor alerts are known',
    { weather: null, weather_alerts: null },
    /now; the weather, an airline’s own/,
  ],
  [
    'no report, and alerts cannot be known',
    { weather: null, weather_alerts: { alerts: [], ...NO_PROVENANCE, unavailable_reason: 'not asked for' } },
    /now; the weather, an airline’s own/,
  ],
  [
    'no report, but no alert either',
    { weather: null, weather_alerts: { alerts: [], ...NO_PROVENANCE, unavailable_reason: null } },
    /now\. Go as planned; an airline’s own delays/,
  ],
  [
    'no airline flies there by schedule',
    { airport: 'TEB' },
    /now\. TEB has no scheduled flights; the nearest .* is LGA/,
  ],
])('nobody is sent on as planned while the weather is not known: %s', (_kind, over, words) => {
  const answer = {
    ...NO_PROVENANCE,
    airport: 'LGA',
    supported: true,
    status: 'normal' as const,
    summary: '',
    programs: [],
    closures: [],
  }
  expect(delayLines({ ...answer, ...over }, '2026-11-21T14:20:00Z')[0]).toMatch(words)
})
