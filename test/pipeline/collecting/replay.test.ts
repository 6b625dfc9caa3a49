import { expect, it } from 'vitest'
import { replay } from '../../../pipeline/collecting/replay.ts'
import { replaceDays } from '../../../warehouse/storage/write.ts'
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
  const days = (await warehouse.dayChanges(tables.readings)).map(({ kind, date }) => ({ kind, date, made_from: null }))
  const wrong = `SELECT * REPLACE (wait_minutes * 2 AS wait_minutes, '9' AS checkpoint) FROM readings WHERE checkpoint = '2'`
  await warehouse.write((context) => replaceDays(context, tables.readings, days, wrong))
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

it('replays only the selected days and source', async () => {
  const { pipeline } = await collectedSeattle()
  const none = { captures: 0, rows: 0, failed: [] }
  expect(await replay(pipeline.warehouse, { source: 'jax-html' })).toEqual(none)
  expect(await replay(pipeline.warehouse, { to: '2026-11-20' })).toEqual(none)
  expect(await replay(pipeline.warehouse, { from: '2026-11-21', to: '2026-11-21' })).toMatchObject({ captures: 1 })
  await pipeline.close()
})
