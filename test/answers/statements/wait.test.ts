import { expect, test } from 'vitest'
import { otherLanesOf, otherLanesText } from '../../../answers/statements/other-lanes.ts'
import { closedSecurityText, placedText, spreadOf, spreadText } from '../../../answers/statements/spread.ts'
import { mappedQueue, type WaitFacts, waitStatement } from '../../../answers/statements/wait.ts'
import {
  type CheckpointWait,
  NO_PROVENANCE,
  type QueueWait,
  type TerminalWait,
  UNKNOWN_STATUS,
} from '../../../config/answer-schemas.ts'
import type { Closure } from '../../../warehouse/publishing/read/delays.ts'

const NOW = Date.parse('2026-11-27T13:10:00Z')
const MEASURED = {
  basis: 'measured' as const,
  observed_at: '2026-11-27T13:07:00Z',
  age_seconds: 180,
  source: 'panynj',
  freshness: 'live' as const,
}
const OPEN = { ...UNKNOWN_STATUS, status: 'open' as const, status_basis: 'measured' as const }
const CLOSED = { ...OPEN, status: 'closed' as const, status_age_seconds: 180, status_source: 'panynj' }

const lane = (wait_minutes: number | null, over: Partial<CheckpointWait> = {}): CheckpointWait => ({
  checkpoint: 'all',
  lane: 'standard',
  wait_minutes,
  range: null,
  open: true,
  ...OPEN,
  ...MEASURED,
  unavailable_reason: null,
  ...over,
})
const terminal = (name: string, wait_minutes: number | null, over: Partial<TerminalWait> = {}): TerminalWait => ({
  terminal: name,
  wait_minutes,
  ...OPEN,
  ...MEASURED,
  unavailable_reason: null,
  checkpoints: wait_minutes === null ? [] : [lane(wait_minutes)],
  ...over,
})
const preCheckOnly = terminal('5', null, {
  unavailable_reason: 'only PreCheck is open',
  checkpoints: [lane(null, { ...CLOSED, open: false }), lane(3, { lane: 'precheck' })],
})
const closedTerminal = (name: string, reopens_at: string | null = null) =>
  terminal(name, null, { ...CLOSED, reopens_at, reopens_basis: 'predicted', checkpoints: [] })

const security = (average_wait_minutes: number | null, terminals: TerminalWait[], over: Partial<QueueWait> = {}) => ({
  average_wait_minutes,
  ...OPEN,
  ...MEASURED,
  unavailable_reason: null,
  terminals,
  ...over,
})
const TYPICAL = security(6, [], { ...UNKNOWN_STATUS, ...NO_PROVENANCE, basis: 'typical', source: 'prior:x' })
const QUIET = { ...NO_PROVENANCE, supported: true, status: 'normal' as const, programs: [], closures: [] }
const NEXT = { low: 5, high: 12, valid_at: '2026-11-27T14:00:00Z', status: 'open' as const, open_probability: null }
const facts = (over: Partial<WaitFacts>): WaitFacts => ({
  airport: { iata: 'JFK', timezone: 'America/New_York', scheduled_service: true },
  now: NOW,
  security: security(9, [terminal('4', 9)]),
  estimate: { low: null, high: null },
  next: NEXT,
  delays: QUIET,
  alerts: [],
  ...over,
})

test.each<[string, QueueWait, object]>([
  [
    'terminals that differ give the range, and where it is longest',
    security(9, [terminal('1', 5), terminal('4', 19), terminal('8', 5)]),
    {
      figure: '5–19 min',
      detail: 'by terminal, 9 min on average',
      line: '5–19 min by terminal',
      longest: { place: 'T4', wait_minutes: 19 },
    },
  ],
  [
    'the range is not that of one terminal, whatever is closed',
    security(9, [terminal('1', 5), terminal('4', 19), closedTerminal('5', '2026-11-28T09:00:00Z')]),
    {
      line: '5–19 min by terminal',
      detail: 'by terminal, 9 min on average',
      closures: ['T5 closed until about 04:00 on Sat 28 Nov'],
    },
  ],
  [
    'a terminal is closed until the hour that it publishes',
    security(9, [
      terminal('1', 5),
      terminal('4', 19),
      { ...closedTerminal('5', '2026-11-28T09:00:00Z'), reopens_basis: 'measured' },
    ]),
    { closures: ['T5 closed until 04:00 on Sat 28 Nov'] },
  ],
  [
    'checkpoints whose terminal is not named are named themselves',
    security(6, [
      terminal('all', 7, {
        checkpoints: [
          lane(13, { checkpoint: 'Checkpoint 3: Gates B1 - B22' }),
          lane(4, { checkpoint: 'Checkpoint 6' }),
        ],
      }),
      terminal('C', 3),
    ]),
    {
      line: '3–13 min by checkpoint',
      longest: { place: 'checkpoint 3: Gates B1 - B22', wait_minutes: 13 },
      bars: [{ name: '3: Gates B1 - B22' }, { name: '6' }, { name: 'Terminal C' }],
    },
  ],
  [
    'one terminal that is open is named',
    security(19, [closedTerminal('1'), terminal('4', 19)]),
    { figure: '19 min', detail: 'at T4', line: '19 min at T4', closures: ['T1 closed'] },
  ],
  [
    'one terminal of which alone the source speaks is named: the airport may have others',
    security(10, [terminal('2', 10)]),
    { figure: '10 min', detail: 'at T2', line: '10 min at T2', closures: [], bars: [] },
  ],
  [
    'so is one with a range of its own',
    security(9, [
      terminal('2', 9, {
        checkpoints: [lane(13, { checkpoint: 'Security 1' }), lane(4, { checkpoint: 'Security 2' })],
      }),
    ]),
    { line: '4–13 min by checkpoint at T2', longest: { place: 'Security 1', wait_minutes: 13 } },
  ],
  [
    'a terminal with another lane open is not closed',
    security(9, [terminal('4', 9), preCheckOnly]),
    { line: '9 min at T4', closures: ['T5 PreCheck only, 3 min'] },
  ],
  [
    'where no standard lane is open the open lane is the figure',
    security(null, [preCheckOnly], { ...CLOSED, unavailable_reason: 'closed' }),
    { kind: 'closed', figure: 'PreCheck only', detail: '3 min at T5', line: 'PreCheck only, 3 min at T5' },
  ],
  [
    'with the terminals that are closed beside it, and when it opens for everybody',
    security(null, [closedTerminal('1'), preCheckOnly], {
      ...CLOSED,
      reopens_at: '2026-11-27T14:00:00Z',
      reopens_basis: 'predicted',
    }),
    { closures: ['T1 closed'], known: expect.stringContaining('For everybody else it opens about 09:00.') },
  ],
  [
    'several lanes are named with their waits, that of crews is not',
    security(
      null,
      [
        terminal('5', null, {
          checkpoints: [
            lane(null, { ...CLOSED, open: false }),
            lane(3, { lane: 'precheck' }),
            lane(9, { lane: 'precheck', checkpoint: 'B' }),
            lane(4, { lane: 'priority' }),
            lane(1, { lane: 'crew' }),
          ],
        }),
      ],
      { ...CLOSED },
    ),
    { figure: 'PreCheck and Priority only', detail: 'PreCheck 3–9 min, Priority 4 min at T5' },
  ],
  [
    'a terminal that is open without a number stays',
    security(9, [terminal('1', null, { unavailable_reason: 'the source gives none' }), terminal('4', 9)]),
    {
      line: '9 min at T4',
      bars: [
        { name: 'T1', label: '–' },
        { name: 'T4', label: '9' },
      ],
    },
  ],
  [
    'lanes whose terminal is not named are no place',
    security(8, [terminal('all', 8), closedTerminal('1')]),
    { detail: 'at security', line: '8 min', closures: ['T1 closed'], longest: null },
  ],
  [
    'the longest wait of lanes whose terminal is not named has no place',
    security(8, [terminal('all', 12), terminal('1', 4)]),
    { figure: '4–12 min', longest: null },
  ],
  [
    'a 0 of a queue that is not said to be open holds only if it is',
    security(0, [terminal('4', 0)], UNKNOWN_STATUS),
    { figure: '0 min', detail: 'at T4 if open now', line: '0 min at T4 if open now' },
  ],
  [
    'waits that are alike are one figure',
    security(6, [terminal('1', 5), terminal('4', 7)]),
    { line: '6 min', bars: [] },
  ],
])('%s', (_, wait, expected) => {
  expect(waitStatement(facts({ security: wait }))).toMatchObject(expected)
})

test.each<[string, TerminalWait[], object]>([
  [
    'terminals that differ',
    [terminal('1', 5), terminal('4', 19), closedTerminal('5', '2026-11-28T09:00:00Z'), preCheckOnly],
    { detail: 'longest at T4, 9 min on average', longest: { place: 'T4', wait_minutes: 19 } },
  ],
  ['a closed terminal beside one wait', [closedTerminal('1'), terminal('4', 9)], { detail: 'at T4' }],
])('somebody who sees no terminals reads the same figure and closures: %s', (_, terminals, expected) => {
  const whole = security(9, terminals)
  const spread = spreadOf(whole, 'America/New_York', NOW)
  const { figure, closures, range } = waitStatement(facts({ security: whole }))
  const part = waitStatement(facts({ security: { ...whole, terminals: [] }, spread }))
  expect(part).toMatchObject({ figure, closures, range, bars: [], ...expected })
})

test('the one open terminal of several is named beside its figure, in a text as on the card', () => {
  const whole = security(9, [closedTerminal('1'), closedTerminal('7'), terminal('4', 9)])
  const spread = spreadOf(whole, 'America/New_York', NOW)
  expect(spreadText(9, spread, 'America/New_York', NOW).rest).toBe('T4 only; T1 and T7 closed')
  expect(placedText(9, spread)).toBe('9 min at T4')
  expect(spreadOf(security(9, [closedTerminal('1'), terminal('4', 9), terminal('8', 9)]), 'UTC', NOW)).toMatchObject({
    standard_lanes: { longest_at: null },
  })
})

test('lanes whose terminal is not named are no only place', () => {
  const spread = spreadOf(security(8, [terminal('all', 8), closedTerminal('1')]), 'UTC', NOW)
  expect(spread).toMatchObject({ standard_lanes: { longest_at: null } })
  expect(spreadText(8, spread, 'UTC', NOW).rest).toBe('T1 closed')
  expect(placedText(8, spread)).toBe('8 min')
})

test('a 0 of a queue that may be closed is no start of a trend', () => {
  const trend = (over: object) => waitStatement(facts({ security: security(0, [terminal('4', 0)], over) })).next
  expect(trend({})?.text).toBe('Rising: 5–12 min in the next hour')
  expect(trend(UNKNOWN_STATUS)?.text).toBe('Next hour 5–12 min')
})

test.each([
  ['2026-11-27T07:00:00Z', null, 'Next hour 5–12 min if open then'],
  ['2026-11-27T07:00:00Z', 0.7, 'Next hour 5–12 min'],
  ['2026-11-27T14:00:00Z', null, 'Next hour 5–12 min'],
])('the next hour, at %s with a probability of %s to be open', (valid_at, open_probability, text) => {
  const next = { ...NEXT, status: 'unknown' as const, valid_at, open_probability }
  expect(waitStatement(facts({ security: TYPICAL, estimate: { low: 2, high: 15 }, next })).next?.text).toBe(text)
})

test('an estimate in the night holds only if security is open', () => {
  const now = Date.parse('2026-11-27T06:10:00Z')
  const estimate = { low: 2, high: 15 }
  expect(waitStatement(facts({ now, security: TYPICAL, estimate }))).toMatchObject({
    figure: 'about 2–15 min',
    detail: 'at security if open now',
    line: 'about 2–15 min if open now',
  })
  expect(waitStatement(facts({ security: TYPICAL, estimate })).line).toBe('about 2–15 min')
})

test.each<[string, QueueWait, { low: number; high: number } | null, string]>([
  ['a range', security(9, [terminal('1', 5), terminal('4', 19)]), null, '5–19 min by terminal, measured 3 min ago'],
  ['the only terminal', security(9, [terminal('4', 9)]), null, '9 min at T4, measured 3 min ago'],
  [
    'a 0 that may be that of a closed queue',
    security(0, [terminal('4', 0)], UNKNOWN_STATUS),
    null,
    '0 min at T4 if open now, measured 3 min ago',
  ],
  [
    'an estimate',
    security(6, [], { ...NO_PROVENANCE, basis: 'predicted', source: 'model:x' }),
    { low: 2, high: 15 },
    'about 2–15 min, predicted',
  ],
  [
    'a closed queue',
    security(null, [], { ...CLOSED, reopens_at: '2026-11-27T14:00:00Z', reopens_basis: 'predicted' }),
    null,
    'closed, opens about 09:00',
  ],
])('a queue on a map: %s', (_, queue, estimate, text) => {
  expect(mappedQueue(queue, estimate, 'America/New_York', NOW).text).toBe(text)
})

test('somebody who sees no terminals reads which lane is open too', () => {
  const whole = security(null, [closedTerminal('1'), preCheckOnly], { ...CLOSED, unavailable_reason: 'closed' })
  const spread = spreadOf(whole, 'America/New_York', NOW)
  expect(spread).toMatchObject({
    standard_lanes: null,
    without_wait: [
      { terminal: '1', status: 'closed' },
      { terminal: '5', status: 'limited', open_lanes: [{ lane: 'precheck', shortest_minutes: 3, longest_minutes: 3 }] },
    ],
  })
  const { figure, detail, line, closures } = waitStatement(facts({ security: whole }))
  const part = waitStatement(facts({ security: { ...whole, terminals: [] }, spread }))
  expect(part).toMatchObject({ kind: 'closed', figure, detail, line, closures })
  expect(spreadOf({ ...whole, freshness: 'expired' }, 'America/New_York', NOW)).toBeNull()
})

test.each<[string, TerminalWait[], string]>([
  [
    'with a lane open',
    [closedTerminal('1'), preCheckOnly],
    'Only PreCheck is open at JFK security now, 3 min at T5. For everybody else it is closed now (stated 3 min ago by panynj); when it opens is not known. T1 closed.',
  ],
  [
    'with none',
    [closedTerminal('1')],
    'JFK security is closed now (stated 3 min ago by panynj); when it opens is not known.',
  ],
])('closed security in sentences, %s', (_, terminals, text) => {
  const queue = security(null, terminals, { ...CLOSED })
  const spread = spreadOf(queue, 'America/New_York', NOW)
  expect(closedSecurityText('JFK security', { ...queue, spread }, 'America/New_York', '2026-11-27T13:10:00Z')).toBe(
    text,
  )
})

const closure = (over: Partial<Closure> = {}): Closure => ({
  reason: null,
  start: '2026-11-20T06:00:00Z',
  end: '2026-11-30T13:30:00Z',
  closed_to_airlines: true,
  closed_hours_utc: '0600-1330',
  closed_hours_local: 'every night from 23:00 to 06:30',
  in_force: true,
  ...over,
})
const ASE = { iata: 'ASE', timezone: 'America/Denver', scheduled_service: true }
const closedBy = (...closures: Closure[]) =>
  waitStatement(
    facts({
      airport: ASE,
      security: TYPICAL,
      estimate: { low: 2, high: 15 },
      next: { ...NEXT, low: 2, high: 17 },
      delays: { ...QUIET, closures, age_seconds: 60, source: 'faa-nas-status' },
    }),
  )

test.each<[string, Closure[], object]>([
  [
    'by night',
    [closure()],
    { detail: 'until 06:30 (every night until 30 Nov)', line: 'closed to airlines until 06:30' },
  ],
  ['by night without an end', [closure({ end: null })], { detail: 'until 06:30 (every night)' }],
  ['by day', [closure({ closed_hours_utc: '1200-2200' })], { detail: 'until 15:00 (every day until 30 Nov)' }],
  [
    'on some days',
    [closure({ closed_hours_utc: 'FRI 0600-1330', closed_hours_local: 'on Thu from 23:00 to 06:30' })],
    { detail: 'until 06:30 (on Thu from 23:00 to 06:30 until 30 Nov)' },
  ],
  ['round the clock', [closure({ closed_hours_utc: null })], { detail: 'until 06:30 on Mon 30 Nov', next: null }],
  [
    'without an end',
    [closure({ closed_hours_utc: null, end: null })],
    { detail: 'until when is not known', line: 'closed to airlines, until when is not known', next: null },
  ],
  [
    'twice: the longer one counts',
    [closure(), closure({ closed_hours_utc: null })],
    { detail: 'until 06:30 on Mon 30 Nov' },
  ],
])('an airport closed to airlines %s has no wait, and says until when', (_, closures, expected) => {
  const statement = closedBy(...closures)
  expect(statement).toMatchObject({ kind: 'closed', figure: 'Closed to airlines', delay: null, ...expected })
  expect(JSON.stringify(statement)).not.toContain('2–15')
})

test('the next hour is told where the closure ends before it', () => {
  expect(closedBy(closure()).next?.text).toBe('Next hour 2–17 min')
  expect(closedBy(closure({ closed_hours_utc: '0600-1401' })).next).toBe(null)
})

test('a closure that is not in force leaves the wait', () => {
  expect(closedBy(closure({ closed_hours_utc: '0600-1300' }))).toMatchObject({
    kind: 'estimate',
    figure: 'about 2–15 min',
  })
})

test.each([
  [
    'ISL',
    'ISL has had no passenger flights since 6 April 2019: passenger flights moved to the new airport; instead: IST.',
  ],
  ['BQH', 'The nearest airport with some is LCY, 19 km away.'],
  ['EUC', ''],
])('a card of an airport without flights says so once, as its figure, and what to do instead: %s', (iata, known) => {
  const airport = { iata, timezone: 'Europe/London', scheduled_service: false }
  const unserved = security(null, [], {
    ...UNKNOWN_STATUS,
    ...NO_PROVENANCE,
    unavailable_reason: 'no source covers this queue',
  })
  expect(waitStatement(facts({ airport, security: unserved }))).toMatchObject({
    kind: 'unknown',
    figure: 'No scheduled flights',
    line: 'no scheduled flights',
    known,
  })
})

test.each<[string, TerminalWait[], string]>([
  [
    'one lane',
    [terminal('4', null, { checkpoints: [lane(3, { lane: 'precheck' })] })],
    'PreCheck 3 min at T4 (measured 3 min ago by panynj); no lane for everybody is observed.',
  ],
  [
    'two kinds of lanes at several terminals',
    [
      terminal('4', null, { checkpoints: [lane(3, { lane: 'precheck' }), lane(8, { lane: 'clear' })] }),
      terminal('5', null, { checkpoints: [lane(6, { lane: 'precheck' })] }),
    ],
    'PreCheck 3–6 min at T4 and T5 (measured 3 min ago by panynj) and CLEAR 8 min at T4 (measured 3 min ago by panynj); no lane for everybody is observed.',
  ],
  [
    'no place',
    [terminal('all', null, { checkpoints: [lane(3, { lane: 'precheck' })] })],
    'PreCheck 3 min (measured 3 min ago by panynj); no lane for everybody is observed.',
  ],
  ['a lane of crews', [terminal('4', null, { checkpoints: [lane(3, { lane: 'crew' })] })], ''],
])('lanes that are observed beside an estimate: %s', (_kind, terminals, words) => {
  const estimate = { ...NO_PROVENANCE, basis: 'typical' as const }
  expect(otherLanesText(otherLanesOf(security(9, terminals, estimate)))).toBe(words)
  expect(otherLanesOf(security(9, terminals))).toEqual([])
})

test.each([
  [{ low: 20, high: 26 }, 'Rising: 20–26 min in the next hour'],
  [{ low: 19, high: 26 }, 'Next hour 19–26 min'],
  [{ low: 1, high: 4 }, 'Falling: 1–4 min in the next hour'],
  [{ low: 4, high: 4 }, 'Falling: 4 min in the next hour'],
])('beside a measured wait of 5 to 19 min a forecast of %o is "%s"', (forecast, text) => {
  const measured = security(9, [terminal('1', 5), terminal('4', 19)])
  const next = { ...NEXT, ...forecast }
  expect(waitStatement(facts({ security: measured, next })).next?.text).toBe(text)
  // An estimate is no wait of now.
  const estimate = security(9, [], { basis: 'predicted' })
  expect(waitStatement(facts({ security: estimate, next })).next?.text).toMatch(/^Next hour/)
})

test('a closure for a holiday says that it is the custom, not what a feed stated', () => {
  const closures = [closure({ reason: 'Nyepi', closed_hours_utc: null, end: '2027-01-01T00:00:00Z' })]
  const delays = { ...QUIET, closures, source: null, age_seconds: null }
  const { figure, known } = waitStatement(facts({ delays }))
  expect([figure, known]).toEqual(['Closed to airlines', 'It closes for Nyepi every year, at about these hours.'])
})
