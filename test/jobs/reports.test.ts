import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LiveCounter } from '../../jobs/live.ts'
import { openLocalCounter } from '../../jobs/live-local.ts'
import type { ReportBatch, ReportDesk, ReportLander } from '../../jobs/reports.ts'
import { openRedisReportCounter, openRedisReportDesk } from '../../jobs/reports-bullmq.ts'
import { openLocalReportDesk } from '../../jobs/reports-local.ts'
import { tempFolder } from '../temp.ts'
import { redisForTests, redisInstalled } from './redis.ts'

const redis_url = redisForTests(16_383)
/** As many as one batch holds, each as long as it may be. */
const FULL: ReportBatch = {
  reports: Array.from({ length: 100 }, (_, i) => ({
    id: `report_${'x'.repeat(60)}_${i}`,
    iata: 'JFK',
    queue: 'security',
    terminal: 'Ö'.repeat(40),
    lane: 'standard',
    wait_minutes: 20,
    observed_at: '2026-11-21T14:18:00.001Z',
    filed_at: '2026-11-21T14:19:00Z',
  })),
}
const land: ReportLander = async ({ reports }) => ({ landed: reports.map(({ id }) => id) })
const nobody = () => Promise.reject(new Error('no live request here'))

interface Ends {
  counter: (land: ReportLander) => Promise<LiveCounter>
  desk: (within_ms?: number) => ReportDesk
}
const local = async (): Promise<Ends> => {
  const path = join(await tempFolder(), 'live.sock')
  return {
    counter: (reports) => openLocalCounter(path, nobody, { reports }),
    desk: (within) => openLocalReportDesk(path, within),
  }
}
let installations = 0
const redis = async (): Promise<Ends> => {
  const options = { redis_url, prefix: `reports${process.pid}-${installations++}` }
  return {
    counter: (reports) => openRedisReportCounter(reports, options),
    desk: (within) => openRedisReportDesk(options, within),
  }
}

describe.each([
  ['local', local, true],
  ['redis (needs redis-server)', redis, redisInstalled],
] as const)('handing reports over, %s', (_name, ends, available) => {
  const it = test.skipIf(!available)
  async function opened(lander: ReportLander | null, within_ms?: number) {
    const { counter, desk } = await ends()
    const open = { desk: desk(within_ms), counter: lander && (await counter(lander)), begin: counter }
    onTestFinished(async () => {
      await open.desk.close()
      await open.counter?.close()
    })
    return open
  }

  it('carries a full batch there, and back what landed', async () => {
    const taken: ReportBatch[] = []
    const { desk } = await opened(async (batch) => {
      taken.push(batch)
      return land(batch)
    })
    expect(await desk.handOver(FULL)).toEqual({ landed: FULL.reports.map(({ id }) => id) })
    expect(taken).toEqual([FULL])
  })

  it('says LIVE_UNAVAILABLE when no pipeline runs, and works when one does', async () => {
    const open = await opened(null)
    await expect(open.desk.handOver(FULL)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
    open.counter = await open.begin(land)
    expect((await open.desk.handOver(FULL)).landed).toHaveLength(100)
  })

  it('does not wait for ever, nor take a failure for a landing', async () => {
    const failing = await opened(() => Promise.reject(new Error('disk full')))
    await expect(failing.desk.handOver(FULL)).rejects.toThrow()
    const hanging = await opened(() => new Promise(() => undefined), 300)
    await expect(hanging.desk.handOver(FULL)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  })
})

test('a pipeline that lands no reports, and one that answers nonsense, are no landing', async () => {
  const path = join(await tempFolder(), 'live.sock')
  const counter = await openLocalCounter(path, nobody)
  await expect(openLocalReportDesk(path).handOver(FULL)).rejects.toMatchObject({ code: 'INTERNAL' })
  await counter.close()
  const strange = createServer((_, response) => response.end('{"landed": 7}')).listen(path)
  await once(strange, 'listening')
  await expect(openLocalReportDesk(path).handOver(FULL)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  strange.close()
})
