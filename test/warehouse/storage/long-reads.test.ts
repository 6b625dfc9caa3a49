import { expect, test } from 'vitest'
import { compactTables } from '../../../warehouse/storage/compact.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

const DAYS = repetitions(60, 120)
const START = Date.parse('2026-03-01T00:00:00Z')
const at = (day: number, minute = 0) => new Date(START + day * 86_400_000 + minute * 60_000).toISOString()

test('a read that takes longer than the pause between two replacements ends, and reads each row once', async () => {
  const folder = await temporaryFolder()
  const writer = await openWarehouse(folder)
  await writer.land(
    readings,
    Array.from({ length: DAYS }, (_, day) => reading({ observed_at: at(day), capture_id: `c${day}` })),
  )
  const reader = await openWarehouse(folder)
  let landed = 0
  let isOver = false
  const writing = (async () => {
    while (!isOver) {
      landed += 1
      await writer.land(readings, [reading({ observed_at: at(DAYS - 1, landed), capture_id: `n${landed}` })])
      await writer.maintain((context) => compactTables(context))
    }
  })()
  try {
    for (let round = 0; round < repetitions(8, 16); round += 1) {
      const before = DAYS + landed - 1
      // Reads every file several times over, so that a replacement falls into it.
      const [row] = await reader.query<{ rows: number; captures: number }>(
        `SELECT count(*)::INT AS rows, count(DISTINCT capture_id)::INT AS captures FROM readings
         WHERE (SELECT count(*) FROM readings AS other) > 0 AND (SELECT max(observed_at) FROM readings AS last) IS NOT NULL`,
      )
      expect(row!.rows).toBe(row!.captures)
      expect(row!.rows).toBeLessThanOrEqual(DAYS + landed)
      if (round % 4 === 3) {
        await reader.refresh()
        const [newest] = await reader.query<{ rows: number }>('SELECT count(*)::INT AS rows FROM readings')
        expect(newest!.rows).toBeGreaterThanOrEqual(before)
      }
    }
  } finally {
    isOver = true
    await writing
    await reader.close()
    await writer.close()
  }
  expect(landed).toBeGreaterThan(4)
}, 60_000)
