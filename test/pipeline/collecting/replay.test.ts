import { truncate } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { rebuildDamaged } from '../../../pipeline/collecting/rebuild-damaged.ts'
import { replay } from '../../../pipeline/collecting/replay.ts'
import { listPartitions, livePaths } from '../../../warehouse/storage/layout.ts'
import { quoteText } from '../../../warehouse/storage/sql.ts'
import { replacePartition } from '../../../warehouse/storage/write.ts'
import { tables } from '../../../warehouse/tables/index.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { fixture } from '../collectors/context.ts'
import { openLocalSite, text } from '../local-site.ts'
import { openTestPipeline, testTransport } from '../test-pipeline.ts'

const NOW = Date.parse('2026-11-21T10:03:00Z')

/** A pipeline with one good capture of Seattle and one that cannot be parsed. */
async function collectedSeattle() {
  const site = await openLocalSite()
  let clock = NOW
  const pipeline = await openTestPipeline(
    await temporaryFolder(),
    testTransport(site.url, { now: () => clock }),
    () => clock,
  )
  for (const body of [fixture('sea.json'), '{"wait": "moved"}']) {
    site.pages.set('/www.portseattle.org/api/cwt/wait-times', text(body, 'application/json'))
    await pipeline.collect('sea-cwt')
    clock += 300_000
  }
  await site.close()
  const rows = () => pipeline.warehouse.query('SELECT * FROM readings ORDER BY ALL')
  return { pipeline, rows, landed: await rows() }
}

it('replaces the rows of an earlier parser by those of the current one; a second replay changes nothing', async () => {
  const { pipeline, rows, landed } = await collectedSeattle()
  const { warehouse } = pipeline
  // Rows that an earlier, wrong parser may have left: twice the minutes, and a checkpoint that does not exist.
  await warehouse.maintain(async (context) => {
    for (const partition of await listPartitions(context.warehouseDir, tables.readings))
      await replacePartition(
        context,
        tables.readings,
        partition.values,
        () =>
          `SELECT * REPLACE (wait_minutes * 2 AS wait_minutes, ${quoteText('9')} AS checkpoint) FROM readings WHERE checkpoint = '2'`,
      )
  })
  expect(await rows()).toMatchObject([{ checkpoint: '9', wait_minutes: 14 }])

  const report = await replay(warehouse, { source: 'sea-cwt' })
  expect(report).toMatchObject({ captures: 1, rows: landed.length })
  expect(report.failed).toMatchObject([{ code: 'PARSE_FAILED' }])
  expect(await rows()).toEqual(landed)

  const notices = await pipeline.notices('sea-cwt')
  await replay(warehouse, {})
  expect([await rows(), await pipeline.notices('sea-cwt')]).toEqual([landed, notices])
  await pipeline.close()
})

it('rebuilds the day of a damaged file from its raw captures, once, and leaves a notice', async () => {
  const { pipeline, rows, landed } = await collectedSeattle()
  const { warehouse } = pipeline
  const [day] = await listPartitions(warehouse.context.warehouseDir, tables.readings)
  const [file = ''] = day ? livePaths([day]) : []
  await truncate(file, 60)
  expect(await rows()).toEqual([])
  expect(await rebuildDamaged(warehouse, NOW)).toMatchObject([{ captures: 1, rows: landed.length }])
  expect(await rows()).toEqual(landed)
  expect(await pipeline.notices('holdshort')).toMatchObject([{ code: 'file_damaged', severity: 'error' }])
  expect(await rebuildDamaged(warehouse, NOW)).toEqual([])
  await pipeline.close()
})

it('replays only the selected days and source', async () => {
  const { pipeline } = await collectedSeattle()
  const none = { captures: 0, rows: 0, failed: [] }
  expect(await replay(pipeline.warehouse, { source: 'jax-html' })).toEqual(none)
  expect(await replay(pipeline.warehouse, { to: '2026-11-20' })).toEqual(none)
  expect(await replay(pipeline.warehouse, { from: '2026-11-21', to: '2026-11-21' })).toMatchObject({ captures: 1 })
  await pipeline.close()
})
