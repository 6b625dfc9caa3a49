import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { recoverCaptures } from '../../../pipeline/collecting/replay.ts'
import { writeCapture } from '../../../warehouse/storage/raw-captures.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')

test('a capture that was stored but not landed is landed once at the next start', async () => {
  const data_dir = await temporaryFolder()
  const warehouse = await newWarehouse(data_dir)
  const body = await readFile(projectFile('test', 'pipeline', 'collectors', 'fixtures', 'sea.json'))
  const about = {
    source: 'sea-cwt',
    url: 'https://www.portseattle.org/api/cwt/wait-times',
    status: 200,
    content_type: 'application/json',
    etag: null,
    last_modified: null,
    iata: null,
  }
  const kept = await writeCapture(data_dir, body, { ...about, fetched_at: '2026-11-21T09:59:00Z' })
  await writeCapture(data_dir, body, { ...about, fetched_at: '2026-11-18T09:59:00Z' })

  const report = await recoverCaptures(warehouse, NOW)
  expect(report).toMatchObject({ captures: 1, failed: [] })
  expect(report.rows).toBeGreaterThan(0)
  const count = async () => warehouse.query('SELECT capture_id, count(*) AS n FROM readings GROUP BY 1')
  const landed = await count()
  expect(landed).toEqual([{ capture_id: kept.capture_id, n: report.rows }])
  await recoverCaptures(warehouse, NOW)
  expect(await count()).toEqual(landed)
})
