import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { createLanding } from '../../../pipeline/collecting/landing.ts'
import { recoverCaptures, replay } from '../../../pipeline/collecting/replay.ts'
import { writeCapture } from '../../../warehouse/storage/raw-captures.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { replaceDays } from '../../../warehouse/storage/write.ts'
import { tables } from '../../../warehouse/tables/index.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../../warehouse/new-warehouse.ts'
import { landedAt, reading } from '../../warehouse/test-rows.ts'
import { fixture } from '../collectors/context.ts'
import { text } from '../local-site.ts'
import { openSiteOn } from '../test-pipeline.ts'

const batch = (k: number) => {
  const instant = `2026-11-20T10:${String(k).padStart(2, '0')}:00Z`
  const row = reading({ ...landedAt(instant), capture_id: `c${k}` })
  const run = {
    source: 'sea-cwt',
    started_at: instant,
    finished_at: instant,
    capture_id: `c${k}`,
    fetched_at: instant,
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

describe('replay', () => {
  const NOW = Date.parse('2026-11-21T10:03:00Z')

  /** A pipeline with one good capture of Seattle and one that cannot be parsed. */
  async function collectedSeattle() {
    const clock = { now: NOW }
    const { site, pipeline } = await openSiteOn(clock)
    for (const body of [fixture('sea.json'), '{"wait": "moved"}']) {
      site.pages.set('/www.portseattle.org/api/cwt/wait-times', text(body, 'application/json'))
      await pipeline.collect('sea-cwt')
      clock.now += 300_000
    }
    const rows = () => pipeline.warehouse.query('SELECT * FROM readings ORDER BY ALL')
    return { pipeline, rows, landed: await rows() }
  }

  it('replaces the rows of an earlier parser by those of the current one; a second replay changes nothing', async () => {
    const { pipeline, rows, landed } = await collectedSeattle()
    const { warehouse } = pipeline
    // Rows that an earlier, wrong parser may have left: twice the minutes, and a checkpoint that does not exist.
    const days = (await warehouse.dayChanges(tables.readings)).map(({ kind, date }) => ({
      kind,
      date,
      made_from: null,
    }))
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
  })

  it('replays only the selected days and source', async () => {
    const { pipeline } = await collectedSeattle()
    const none = { captures: 0, rows: 0, failed: [] }
    expect(await replay(pipeline.warehouse, { source: 'jax-html' })).toEqual(none)
    expect(await replay(pipeline.warehouse, { to: '2026-11-20' })).toEqual(none)
    expect(await replay(pipeline.warehouse, { from: '2026-11-21', to: '2026-11-21' })).toMatchObject({ captures: 1 })
  })
})
