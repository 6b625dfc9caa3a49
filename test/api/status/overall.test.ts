import { expect, test } from 'vitest'
import { overallStatus, type StateCounts } from '../../../api/status/overall.ts'

const counts = (states: Partial<StateCounts>): StateCounts => ({
  healthy: 0,
  degraded: 0,
  failing: 0,
  open_circuit: 0,
  not_asked: 0,
  off: 15,
  ...states,
})
const MINUTE = 60_000
const WELL = counts({ healthy: 8, failing: 2 })

test.each<[string, number | null, StateCounts, string, string | null]>([
  ['no snapshot', null, counts({}), 'starting', 'No snapshot has been published yet.'],
  ['no source requested', MINUTE, counts({ not_asked: 70 }), 'starting', 'No source has been requested yet.'],
  ['four of five healthy', MINUTE, WELL, 'ok', null],
  ['sources not requested yet do not count', MINUTE, counts({ healthy: 4, failing: 1, not_asked: 65 }), 'ok', null],
  [
    'fewer than four of five',
    MINUTE,
    counts({ healthy: 79, degraded: 21 }),
    'degraded',
    'Only 79 of 100 sources requested so far are healthy.',
  ],
  [
    'none answers',
    MINUTE,
    counts({ failing: 3, open_circuit: 2 }),
    'down',
    'None of the 5 sources requested so far answers.',
  ],
  ['none healthy, but one answers', MINUTE, counts({ degraded: 1, failing: 4 }), 'degraded', expect.anything()],
  ['a snapshot of just under 15 minutes', 15 * MINUTE - 1, WELL, 'ok', null],
  ['a snapshot of 15 minutes', 15 * MINUTE, WELL, 'degraded', 'Nothing has been published for 15 min.'],
  ['a snapshot of an hour', 60 * MINUTE, WELL, 'down', 'Nothing has been published for 1 h.'],
  ['a snapshot of an hour, without any requested source', 60 * MINUTE, counts({}), 'down', expect.anything()],
])('%s', (_name, age, states, status, reason) => {
  expect(overallStatus(age, states)).toEqual({ status, reason })
})

test('a fault of the process itself degrades the service, and hides nothing worse', () => {
  const faults = [{ code: 'STATE_UNWRITABLE' as const, message: 'nothing can be stored' }]
  expect(overallStatus(MINUTE, WELL, faults)).toEqual({ status: 'degraded', reason: 'Nothing can be stored.' })
  expect(overallStatus(60 * MINUTE, WELL, faults).status).toBe('down')
  expect(overallStatus(null, WELL, faults)).toEqual({ status: 'starting', reason: 'Nothing can be stored.' })
  const unusable = { code: 'DATA_FOLDER_UNUSABLE' as const, message: 'the folder cannot be read' }
  expect(overallStatus(null, WELL, [...faults, unusable])).toEqual({
    status: 'down',
    reason: 'The folder cannot be read.',
  })
})
