import { expect, test } from 'vitest'
import { type ReportBatch, type ReportReceipt, reportsCall } from '../../../jobs/calls/reports.ts'
import { redisForTests } from '../redis/redis-server.ts'
import { fullBatch } from './report-batch.ts'
import { describeTransports } from './transports.ts'

const redis_url = redisForTests(16_383)
const FULL = fullBatch()
const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
const land = async ({ reports, removed }: ReportBatch): Promise<ReportReceipt> => ({
  landed: ids(reports),
  removed: ids(removed),
})

describeTransports('handing reports over', redis_url, (open, { skip }) => {
  const it = test.skipIf(skip)

  it('carries a full batch to the pipeline and the ids of the landed reports back', async () => {
    const batches: ReportBatch[] = []
    const { client } = await open(reportsCall, async (batch) => {
      batches.push(batch)
      return land(batch)
    })
    expect(await client.call(reportsCall, FULL)).toEqual({ landed: ids(FULL.reports), removed: ids(FULL.removed) })
    expect(batches).toEqual([FULL])
  })
})
