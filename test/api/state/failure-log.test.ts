import pino from 'pino'
import { expect, test } from 'vitest'
import { FailureLog } from '../../../api/state/failure-log.ts'
import { StateUnwritableError } from '../../../api/state/unreachable.ts'

const MINUTE = 60_000

/** A log of failures on a clock that the test moves, and its lines. */
function failureLog() {
  const lines: Record<string, unknown>[] = []
  const logger = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const clock = { now: 0 }
  return { log: new FailureLog(logger, () => clock.now), clock, lines }
}

const fullDisk = () => new StateUnwritableError('its disk is full', { cause: new Error('database or disk is full') })

test('a full disk is one line for all that fails, one in ten minutes, and one when it works again', () => {
  const { log, clock, lines } = failureLog()
  for (let second = 0; second < 25 * 60; second += 1) {
    clock.now = second * 1_000
    log.taskFailed('write usage', fullDisk(), 'usage could not be written; the next flush retries it')
    if (second % 20 === 0) log.taskFailed('record service', fullDisk(), 'it runs again')
    log.requestFailed('r1', fullDisk())
  }
  expect(lines).toHaveLength(3)
  expect(lines[0]).toEqual({
    level: 50,
    code: 'STATE_UNWRITABLE',
    error: expect.stringMatching(/^nothing was stored: .*its disk is full/),
    task: 'write usage',
    msg: 'usage could not be written; the next flush retries it',
  })
  expect(lines[1]).toMatchObject({ failures_since: expect.any(Number) })
  log.taskSucceeded('write usage')
  expect(lines).toHaveLength(3)
  log.taskSucceeded('record service')
  expect(lines.slice(3)).toEqual([{ level: 30, failure: 'STATE_UNWRITABLE', msg: 'what failed works again' }])
})

test('what fails every other time is two lines in ten minutes', () => {
  const { log, clock, lines } = failureLog()
  for (let times = 0; times < 100; times += 1) {
    clock.now += 5_000
    log.taskFailed('a', fullDisk(), 'it runs again')
    log.taskSucceeded('a')
  }
  expect(lines).toHaveLength(2)
  clock.now += 10 * MINUTE
  log.taskFailed('a', fullDisk(), 'it runs again')
  expect(lines).toHaveLength(3)
})

test('an error of this program keeps its stack, and another error beside it is logged too', () => {
  const { log, lines } = failureLog()
  for (const text of ['one', 'one', 'two']) log.taskFailed('a', new TypeError(text), 'it runs again')
  expect(lines.map(({ err }) => err)).toEqual([
    expect.objectContaining({ message: 'one', stack: expect.stringContaining('failure-log.test.ts') }),
    expect.objectContaining({ message: 'two' }),
  ])
})
