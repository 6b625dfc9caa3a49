import { expect, it } from 'vitest'
import { FetchError } from '../../../config/errors.ts'
import { DAY_MS, HOUR_MS } from '../../../config/vocabulary.ts'
import { createCircuits, isProbeDue, restMs } from '../../../pipeline/transport/circuits.ts'

const MINUTE = 60_000

function circuits(failures = 2) {
  const clock = { now: Date.parse('2026-11-20T10:00:00Z') }
  const own = createCircuits({ failures, rest_ms: 5 * MINUTE, now: () => clock.now })
  const run = (id: string, error?: Error) =>
    own
      .guard(id, () => (error ? Promise.reject(error) : Promise.resolve('fine')))
      .catch((cause: FetchError) => cause.code)
  return { ...own, clock, run }
}
const down = new FetchError('FETCH_FAILED', 'down', { status: 503 })

it('open only after failures in a row, and are listed as open', async () => {
  const { run, open, clock } = circuits()
  await run('a', down)
  await run('a')
  await run('a', down)
  expect(open()).toEqual([])
  await run('a', down)
  expect(open()).toEqual([
    {
      id: 'a',
      source: 'a',
      opened_ms: clock.now,
      probe_due_ms: clock.now + 5 * MINUTE,
      rest_ms: 5 * MINUTE,
      probes: 0,
    },
  ])
  expect([await run('a'), await run('b')]).toEqual(['CIRCUIT_OPEN', 'fine'])
})

it.each([3 * 365 * DAY_MS, DAY_MS, HOUR_MS])(
  'that opened while the clock was %d ms ahead are probed when it is right',
  async (ahead) => {
    const { run, open, postponeProbe, clock } = circuits()
    clock.now += ahead
    for (let i = 0; i < 2; i++) await run('a', down)
    const due = () => open().every((circuit) => isProbeDue(circuit, clock.now))
    expect(due()).toBe(false)
    clock.now -= ahead
    expect(due()).toBe(true)
    postponeProbe('a')
    expect(due()).toBe(false)
    clock.now += HOUR_MS
    expect(due()).toBe(true)
  },
)

it('do not count faults that are not the source’s', async () => {
  const { run, open } = circuits()
  for (const code of ['ROBOTS_DISALLOWED', 'SITE_UNREACHABLE', 'BROWSER_UNAVAILABLE'] as const)
    await run('a', new FetchError(code, 'ours'))
  await run('a', new FetchError('FETCH_FAILED', 'gone', { status: 404, retryable: false }))
  expect(open()).toEqual([])
})

it('close together with the circuit of the page that the keys are learned from', async () => {
  const { run, open, close } = circuits(1)
  await run('a', down)
  await run('a:page', down)
  await run('b', down)
  expect(open().map(({ source }) => source)).toEqual(['a', 'a', 'b'])
  close('a')
  expect(open().map(({ id }) => id)).toEqual(['b'])
})

it('let only probes of their own source pass', async () => {
  const { run, probe } = circuits(1)
  await run('a', down)
  await run('b', down)
  const passed = await probe('a', () => Promise.all([run('a'), run('a:page'), run('b')]))
  expect([passed, await run('a')]).toEqual([['fine', 'fine', 'CIRCUIT_OPEN'], 'CIRCUIT_OPEN'])
})

it('wait longer after each probe that fails: doubling to an hour, once a day after two days', async () => {
  const { run, open, postponeProbe: putOff, clock } = circuits(1)
  await run('a', down)
  const rests: number[] = []
  const from = clock.now
  while (clock.now < from + 4 * DAY_MS) {
    const due = open()[0]?.probe_due_ms ?? 0
    rests.push((due - clock.now) / MINUTE)
    clock.now = due
    putOff('a')
  }
  expect(rests.slice(0, 6)).toEqual([5, 5, 10, 20, 40, 60])
  expect(rests.at(-1)).toBe(24 * 60)
  expect(rests.length).toBeLessThan(60)
  expect([restMs(0, 1), restMs(3 * HOUR_MS, 1), restMs(3 * DAY_MS, 1)]).toEqual([1, HOUR_MS, DAY_MS])
})
