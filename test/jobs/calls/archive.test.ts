import { expect, test } from 'vitest'
import {
  type ArchiveAnswer,
  type ArchiveRequest,
  archiveCall,
  callArchive,
  type PastHistory,
} from '../../../jobs/calls/archive.ts'
import { redisForTests } from '../redis/redis-server.ts'
import { describeTransports } from './transports.ts'

const redis_url = redisForTests(16_397)
const stretch = { iata: 'JFK', from: '2026-11-20T14:00:00Z', to: '2026-11-21T14:00:00Z', terminals: true }
const HISTORY = { subject: 'history', as_of: '2026-11-21T14:00:00Z', ...stretch } as const
const FORECAST = {
  subject: 'forecast',
  as_of: '2026-11-20T14:00:00Z',
  now: '2026-11-21T14:20:00Z',
  ...stretch,
} as const

const hours = Array.from({ length: 2_160 }, (_, k) => k)
/** Ninety days of nine series: the longest possible answer. */
const LONG: PastHistory = {
  subject: 'history',
  series: Array.from({ length: 9 }, (_, k) => ({
    terminal: k === 0 ? '' : `T${k}`,
    hour: hours,
    mean: hours,
    p50: hours,
    p90: hours,
    max: hours,
    samples: hours,
    source: hours.map(() => 0),
    sources: ['panynj-graphql'],
  })),
  withheld_hours: 3,
}
const NONE: ArchiveAnswer = { subject: 'forecast', vintage: null, oldest_issued_at: null }
const answer = async ({ subject }: ArchiveRequest) => (subject === 'history' ? LONG : NONE)
/** Where an answer is expected, it is awaited as long as a busy machine may take. */
const patientCall = { ...archiveCall, timeout_ms: 25_000 }

describeTransports('questions about the past', redis_url, (open, { skip }) => {
  const it = test.skipIf(skip)

  it('carries requests to the pipeline and whole answers back, many at the same time', async () => {
    const requests: ArchiveRequest[] = []
    const { client } = await open(archiveCall, async (request) => {
      requests.push(request)
      return answer(request)
    })
    expect(await client.call(patientCall, HISTORY)).toEqual(LONG)
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call(patientCall, FORECAST)))
    expect(answers).toEqual(Array(20).fill(NONE))
    expect(requests).toHaveLength(21)
    expect(requests.slice(0, 2)).toEqual([HISTORY, FORECAST])
  })

  it('rejects with ARCHIVE_UNAVAILABLE without waiting when no pipeline runs, and works once one runs', async () => {
    const { client, serve } = await open(archiveCall, null)
    const start = performance.now()
    const notRunning = { code: 'ARCHIVE_UNAVAILABLE', message: /is not running/ }
    await expect(callArchive(client, FORECAST)).rejects.toMatchObject(notRunning)
    expect(performance.now() - start).toBeLessThan(archiveCall.timeout_ms / 2)
    await serve(answer)
    expect(await client.call(patientCall, FORECAST)).toEqual(NONE)
  })

  it('rejects an answer to another question', async () => {
    const { client } = await open(archiveCall, async () => NONE)
    await expect(client.call(patientCall, HISTORY)).rejects.toMatchObject({ code: 'ARCHIVE_UNAVAILABLE' })
  })
})
