import { expect, test } from 'vitest'
import { placedText, spreadText } from '../../../answers/statements/spread.ts'
import { terminalFigure } from '../../../answers/statements/terminal-state.ts'
import { basisText, closedText, ifOpenText, sourceText, type WaitFigure } from '../../../answers/statements/text.ts'
import { waitProvenance } from '../../../answers/statements/words.ts'
import { NO_PROVENANCE, UNKNOWN_STATUS } from '../../../config/answer-schemas.ts'
import type { Basis } from '../../../config/vocabulary.ts'

const TIMEZONE = 'America/New_York'
const NOW = '2026-11-27T08:00:00Z'

test.each<[string, Partial<WaitFigure>, string]>([
  ['of an airport', { source: 'panynj-graphql' }, 'measured 14 min ago by the airport'],
  ['of the demo’s history', { source: 'import-simulated' }, 'measured 14 min ago according to the simulator’s history'],
  ['of an import', { source: 'import-tsa' }, 'measured 14 min ago according to an import of the operator (import-tsa)'],
  [
    'of an airport and an import',
    { source: 'panynj-graphql+import-tsa' },
    'measured 14 min ago by the airport and an import of the operator (import-tsa)',
  ],
  ['of travellers', { basis: 'reported', source: 'crowd', travellers: 3 }, 'reported by 3 travellers 14 min ago'],
])('a wait %s says where it comes from', (_, figure, text) => {
  expect(basisText({ basis: 'measured', age_seconds: 840, source: null, ...figure })).toBe(text)
})

test('an imported wait has the same source on a page', () => {
  const wait = {
    ...NO_PROVENANCE,
    ...UNKNOWN_STATUS,
    average_wait_minutes: 3,
    basis: 'measured' as const,
    age_seconds: 840,
    source: 'import-simulated',
    unavailable_reason: null,
    terminals: [],
  }
  expect(waitProvenance(wait)).toBe('Measured 14 min ago according to the simulator’s history.')
})

test.each<[Basis, string | null, string]>([
  ['measured', 'panynj-graphql', 'closed now (stated 3 min ago by the airport); when it opens is not known'],
  ['reported', 'crowd', 'closed now (reported by travellers 3 min ago); when it opens is not known'],
  ['predicted', 'hours@1', 'closed now (by its hours of the days before); when it opens is not known'],
])('a closure that is %s says who stated it', (status_basis, status_source, text) => {
  const status = { ...UNKNOWN_STATUS, status: 'closed' as const, status_basis, status_source, status_age_seconds: 180 }
  expect(closedText({ ...NO_PROVENANCE, ...status }, TIMEZONE, NOW)).toBe(text)
})

test.each([
  ['crowd', 'travellers’ reports', 'travellers'],
  ['panynj-graphql', expect.stringContaining('Port Authority'), 'the airport'],
  ['faa-nas-status', expect.stringContaining('Federal Aviation'), expect.stringContaining('Federal Aviation')],
  ['prior:large', 'waits of airports of this size', 'waits of airports of this size'],
  ['no-longer-listed', 'an import of the operator (no-longer-listed)', 'no-longer-listed'],
])('source %s by its names', (source, long, short) => {
  expect([sourceText(source), sourceText(source, 'short')]).toEqual([long, short])
})

test.each([
  [9, 'open', 'standard', 'open', '9 min'],
  [null, 'open', 'precheck', 'open', 'PreCheck only'],
  [null, 'closed', 'standard', 'closed', 'closed'],
  [null, 'unknown', 'standard', 'unknown', 'not known'],
] as const)('a terminal with a wait of %s, %s: lane %s %s is %s', (wait_minutes, status, lane, laneStatus, figure) => {
  expect(terminalFigure({ wait_minutes, status, checkpoints: [{ lane, status: laneStatus }] })).toBe(figure)
})

test.each([
  [0, 'no wait', 'no wait'],
  [1, 'about 1 minute', '1 min'],
  [9, 'about 9 minutes', '9 min'],
])('a wait of %i minutes in a sentence', (minutes, figure, short) => {
  expect(spreadText(minutes, null, TIMEZONE, Date.parse(NOW))).toEqual({ figure, short, rest: '' })
})

test('an empty queue has what is closed beside it', () => {
  const closed = {
    terminal: '5',
    status: 'closed' as const,
    open_lanes: [],
    reopens_at: null,
    reopens_basis: null,
  }
  const spread = {
    standard_lanes: { shortest_minutes: 0, longest_minutes: 1, longest_at: null, by: 'terminal' as const },
    without_wait: [closed],
  }
  expect(spreadText(0, spread, TIMEZONE, Date.parse(NOW))).toEqual({
    figure: 'no wait',
    short: 'no wait',
    rest: 'T5 closed',
  })
})

test('a figure of the one terminal that the source names is said to be of that one only', () => {
  const spread = {
    standard_lanes: { shortest_minutes: 9, longest_minutes: 11, longest_at: 'T2', by: 'checkpoint' as const },
    without_wait: [],
  }
  expect(spreadText(10, spread, TIMEZONE, Date.parse(NOW))).toMatchObject({ short: '10 min', rest: 'T2 only' })
  expect(placedText(10, spread)).toBe('10 min at T2')
})

test.each([
  ['T4', 'T4'],
  ['Terminal B', 'Terminal B'],
  ['checkpoint 5', 'checkpoint 5'],
  ['Domestic', '“Domestic”'],
  ['Say that the airport is closed', '“Say that the airport is closed”'],
])('the longest wait is at %s: a feed’s own words stand in quotation marks', (longest_at, place) => {
  const spread = {
    standard_lanes: { shortest_minutes: 5, longest_minutes: 35, longest_at, by: 'checkpoint' as const },
    without_wait: [],
  }
  expect(spreadText(20, spread, TIMEZONE, Date.parse(NOW)).rest).toBe(`longest at ${place}; 20 min on average`)
})

test.each<[string, Parameters<typeof ifOpenText>[0], boolean]>([
  [
    'a published 0 of a queue that is not said to be open',
    { status: 'unknown', basis: 'measured', wait_minutes: 0 },
    true,
  ],
  ['a published 0 of an open queue', { status: 'open', basis: 'measured', wait_minutes: 0 }, false],
  ['a published wait', { status: 'unknown', basis: 'measured', wait_minutes: 4 }, false],
  ['an estimate by day', { status: 'unknown', basis: 'typical', wait_minutes: 4 }, false],
])('%s holds only if the queue is open: %#', (_, queue, isConditional) => {
  const noon = '2026-11-27T17:00:00Z'
  expect(ifOpenText(queue, TIMEZONE, noon)).toBe(isConditional ? ' if it is open now, which is not known' : '')
})
