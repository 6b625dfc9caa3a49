import { expect, test } from 'vitest'
import { type ReportBatch, type ReportReceipt, reportsCall } from '../../../jobs/calls/reports.ts'
import { redisForTests } from '../redis/redis-server.ts'
import { fullBatch } from './report-batch.ts'
import { describeTransports } from './transports.ts'

const redis_url = redisForTests(16_383)
const FULL = fullBatch()
const land = async ({ reports }: ReportBatch): Promise<ReportReceipt> => ({ landed: reports.map(({ id }) => id) })

describeTransports('handing reports over', redis_url, (open, { skip }) => {
  const it = test.skipIf(skip)

  it('carries a full batch to the pipeline and the ids of the landed reports back', async () => {
    const batches: ReportBatch[] = []
    const { client } = await open(reportsCall, async (batch) => {
      batches.push(batch)
      return land(batch)
    })
    expect(await client.call(reportsCall, FULL)).toEqual({ landed: FULL.reports.map(({ id }) => id) })
    expect(batches).toEqual([FULL])
  })

  it('rejects with LIVE_UNAVAILABLE when no pipeline runs, and works once one runs', async () => {
    const { client, serve } = await open(reportsCall, null)
    await expect(client.call(reportsCall, FULL)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
    await serve(land)
    expect((await client.call(reportsCall, FULL)).landed).toHaveLength(100)
  })

  it('rejects when landing fails, and at the timeout when it hangs', async () => {
    const failing = await open(reportsCall, () => Promise.reject(new Error('disk full')))
    await expect(failing.client.call(reportsCall, FULL)).rejects.toThrow()
    const hanging = await open(reportsCall, () => new Promise(() => undefined))
    const impatient = { ...reportsCall, timeout_ms: 300 }
    await expect(hanging.client.call(impatient, FULL)).rejects.toMatchObject({ code: 'LIVE_UNAVAILABLE' })
  })
})
