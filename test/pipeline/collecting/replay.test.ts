import { expect, it } from 'vitest'
import { replay } from '../../../pipeline/collecting/replay.ts'
import { listPartitions } from '../../../warehouse/storage/layout.ts'
import { quoteText } from '../../../warehouse/storage/sql.ts'
import { replacePartition } from '../../../warehouse/storage/write.ts'
import { tables } from '../../../warehouse/tables/index.ts'
import { tempFolder } from '../../temp.ts'
import { fixture } from '../collectors/context.ts'
import { openLocalSite, text } from '../local-site.ts'
import { httpDoors, openRoom } from '../test-pipeline.ts'

const NOW = Date.parse('2026-11-21T10:03:00Z')

/** A folder with one good capture of Seattle and one that no parser can read. */
async function collectedSeattle() {
  const site = await openLocalSite()
  let clock = NOW
  const room = await openRoom(await tempFolder(), httpDoors(site.url, { now: () => clock }), () => clock)
  for (const body of [fixture('sea.json'), '{"wait": "moved"}']) {
    site.pages.set('/www.portseattle.org/api/cwt/wait-times', text(body, 'application/json'))
    await room.collect('sea-cwt')
    clock += 300_000
  }
  await site.close()
  const rows = () => room.warehouse.query('SELECT * FROM readings ORDER BY ALL')
  return { room, rows, landed: await rows() }
}

it('puts what the parser reads now in the place of what an earlier parser made of a capture; again changes nothing', async () => {
  const { room, rows, landed } = await collectedSeattle()
  const { warehouse } = room
  // What an earlier, wrong parser may have left: twice the minutes, under a checkpoint that does not exist.
  await warehouse.maintain(async (context) => {
    for (const partition of await listPartitions(context.warehouseDir, tables.readings))
      await replacePartition(
        context,
        tables.readings,
        partition,
        `SELECT * REPLACE (wait_minutes * 2 AS wait_minutes, ${quoteText('9')} AS checkpoint) FROM readings WHERE checkpoint = '2'`,
      )
  })
  expect(await rows()).toMatchObject([{ checkpoint: '9', wait_minutes: 14 }])

  const report = await replay(warehouse, { source: 'sea-cwt' })
  expect(report).toMatchObject({ captures: 1, rows: landed.length })
  expect(report.failed).toMatchObject([{ code: 'PARSE_FAILED' }])
  expect(await rows()).toEqual(landed)

  const notices = await room.notices('sea-cwt')
  await replay(warehouse, {})
  expect([await rows(), await room.notices('sea-cwt')]).toEqual([landed, notices])
  await room.close()
})

it('keeps to the days and the source that were named', async () => {
  const { room } = await collectedSeattle()
  const none = { captures: 0, rows: 0, failed: [] }
  expect(await replay(room.warehouse, { source: 'jax-html' })).toEqual(none)
  expect(await replay(room.warehouse, { to: '2026-11-20' })).toEqual(none)
  expect(await replay(room.warehouse, { from: '2026-11-21', to: '2026-11-21' })).toMatchObject({ captures: 1 })
  await room.close()
})
