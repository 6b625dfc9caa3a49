import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { createLanding } from '../../../pipeline/collecting/landing.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../../warehouse/test-rows.ts'

const batch = (k: number) => {
  const at = `2026-11-20T10:${String(k).padStart(2, '0')}:00Z`
  const row = reading({ observed_at: at, fetched_at: at, available_at: at, capture_id: `c${k}` })
  const run = {
    source: 'sea-cwt',
    started_at: at,
    finished_at: at,
    capture_id: `c${k}`,
    fetched_at: at,
    outcome: null,
    parsed_rows: 1,
  }
  return { table: 'readings', rows: [row], notices: [], run } as never
}

test('while another process reads for long, sources are read and collected on, and their rows land when it has ended', async () => {
  const folder = await temporaryFolder()
  const holders: (string | null)[] = []
  const warehouse = await openWarehouse(folder, { noticeMs: 2_000, onWait: (holder) => holders.push(holder) })
  expect(await createLanding(warehouse).land(batch(0))).toBe(1)
  const landing = createLanding(warehouse, 200)
  // An idle process lets go.
  await sleep(100)
  const analyst = spawn(process.execPath, [projectFile('dist', 'test', 'programs', 'read-warehouse.js'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(analyst.stdout, 'data')
  for (let k = 1; k <= 5; k += 1) {
    expect(await landing.land(batch(k))).toBe(null)
    // What the checks compare with is read all the same.
    expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
  }
  while (holders.length === 0) await sleep(20)
  expect(holders).toEqual([expect.stringContaining(`process ${analyst.pid}`)])
  const since = expect.stringMatching(/^\d{4}-.*Z$/)
  expect(warehouse.waitsFor()).toMatchObject({ name: expect.stringMatching(/^node/), pid: analyst.pid, since })
  analyst.stdin.end()
  await landing.idle()
  expect(warehouse.waitsFor()).toBe(null)
  expect(holders.at(-1)).toBe(null)
  expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 6 }])
  expect(await warehouse.query('SELECT count(*) AS n FROM runs')).toEqual([{ n: 6 }])
  await warehouse.close()
}, 30_000)
