import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ArchiveAnswer, ArchiveDesk, ArchiveQuestion, Archivist, HistoryThen } from '../../jobs/archive.ts'
import { openRedisArchiveCounter, openRedisArchiveDesk } from '../../jobs/archive-bullmq.ts'
import { openLocalArchiveDesk } from '../../jobs/archive-local.ts'
import type { LiveCounter } from '../../jobs/live.ts'
import { openLocalCounter } from '../../jobs/live-local.ts'
import { tempFolder } from '../temp.ts'
import { redisForTests, redisInstalled } from './redis.ts'

const redis_url = redisForTests(16_397)
const stretch = { iata: 'JFK', from: '2026-11-20T14:00:00Z', to: '2026-11-21T14:00:00Z', terminals: true }
const HISTORY = { of: 'history', as_of: '2026-11-21T14:00:00Z', ...stretch } as const
const FORECAST = { of: 'forecast', as_of: '2026-11-20T14:00:00Z', now: '2026-11-21T14:20:00Z', ...stretch } as const

const many = Array.from({ length: 2_160 }, (_, k) => k)
/** Ninety days of nine series: as long as an answer gets. */
const LONG: HistoryThen = {
  of: 'history',
  series: Array.from({ length: 9 }, (_, k) => ({
    terminal: k === 0 ? '' : `T${k}`,
    hour: many,
    mean: many,
    p50: many,
    p90: many,
    max: many,
    samples: many,
    source: many.map(() => 0),
    sources: ['panynj-graphql'],
  })),
  withheld_hours: 3,
}
const NONE: ArchiveAnswer = { of: 'forecast', vintage: null, oldest_issued_at: null }
const answering: Archivist = async ({ of }) => (of === 'history' ? LONG : NONE)
const nobody = () => Promise.reject(new Error('no live request here'))

interface Ends {
  counter: (answer: Archivist) => Promise<LiveCounter>
  desk: (within_ms?: number) => ArchiveDesk
}
const local = async (): Promise<Ends> => {
  const path = join(await tempFolder(), 'live.sock')
  return {
    counter: (archive) => openLocalCounter(path, nobody, { archive }),
    desk: (within) => openLocalArchiveDesk(path, within),
  }
}
let installations = 0
const redis = async (): Promise<Ends> => {
  const options = { redis_url, prefix: `archive${process.pid}-${installations++}` }
  return {
    counter: (archive) => openRedisArchiveCounter(archive, options),
    desk: (within) => openRedisArchiveDesk(options, within),
  }
}

describe.each([
  ['local', local, true],
  ['redis (needs redis-server)', redis, redisInstalled],
] as const)('questions about the past, %s', (_name, ends, available) => {
  const it = test.skipIf(!available)
  async function opened(archivist: Archivist | null, within_ms?: number) {
    const { counter, desk } = await ends()
    const open = { desk: desk(within_ms), counter: archivist && (await counter(archivist)), begin: counter }
    onTestFinished(async () => {
      await open.desk.close()
      await open.counter?.close()
    })
    return open
  }

  it('carries the question there and the answer back, whole, many at once', async () => {
    const asked: ArchiveQuestion[] = []
    const { desk } = await opened(async (question) => {
      asked.push(question)
      return answering(question)
    })
    expect(await desk.ask(HISTORY)).toEqual(LONG)
    expect(await Promise.all(Array.from({ length: 20 }, () => desk.ask(FORECAST)))).toEqual(Array(20).fill(NONE))
    expect(asked).toHaveLength(21)
    expect(asked.slice(0, 2)).toEqual([HISTORY, FORECAST])
  })

  it('says ARCHIVE_UNAVAILABLE at once when no pipeline runs, and works when one does', async () => {
    const open = await opened(null)
    const from = performance.now()
    await expect(open.desk.ask(FORECAST)).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' })
    expect(performance.now() - from).toBeLessThan(1_500)
    open.counter = await open.begin(answering)
    expect(await open.desk.ask(FORECAST)).toEqual(NONE)
  })

  it('waits no longer than its time or its asker, and tells a fault of ours from a pipeline that is away', async () => {
    const hanging = await opened(() => new Promise(() => undefined), 300)
    await expect(hanging.desk.ask(FORECAST)).rejects.toMatchObject({
      code: 'ARCHIVE_UNAVAILABLE',
      message: expect.stringContaining('no answer in 0.3 s'),
    })
    const leaving = new AbortController()
    const left = hanging.desk.ask(FORECAST, { signal: leaving.signal })
    leaving.abort(new Error('hung up'))
    await expect(left).rejects.toThrow('hung up')
    const failing = await opened(() => Promise.reject(new Error('a bug')))
    await expect(failing.desk.ask(FORECAST)).rejects.toMatchObject({ code: 'INTERNAL', message: /a bug/ })
  })

  it('refuses what is no question before it goes out, and takes no answer to another one', async () => {
    const { desk } = await opened(async () => NONE)
    await expect(desk.ask({ ...FORECAST, iata: 'jfk' })).rejects.toThrow('three capital letters')
    await expect(desk.ask(HISTORY)).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' })
  })
})

test('a Redis that is away is ARCHIVE_UNAVAILABLE in time, and the desk still closes', async () => {
  const desk = openRedisArchiveDesk({ redis_url: 'redis://127.0.0.1:1' }, 300)
  await expect(desk.ask(FORECAST)).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' })
  await desk.close()
})
