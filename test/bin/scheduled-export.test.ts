import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openLog } from '../../bin/runtime/log.ts'
import { openPipeline, openRunner } from '../../bin/runtime/pipeline.ts'
import { dataPaths, readSettings } from '../../config/settings.ts'
import { readExportManifest } from '../../warehouse/export/manifest.ts'
import { stateChanges } from '../../warehouse/tables/state-changes.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const EVERY_SECONDS = 900
const instant = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`

afterEach(() => vi.useRealTimers())

test.runIf(EXHAUSTIVE)('the pipeline exports soon after its start and then on its schedule', async () => {
  const settings = readSettings({
    HOLDSHORT_DATA_DIR: await temporaryFolder(),
    HOLDSHORT_OPEN_DATA: 'state_changes',
    HOLDSHORT_OPEN_DATA_SECONDS: String(EVERY_SECONDS),
    HOLDSHORT_LOG_LEVEL: 'silent',
  })
  const log = openLog(settings, 'test')
  const pipeline = await openPipeline(settings, log)
  onTestFinished(() => pipeline.close())
  const { warehouse } = pipeline
  const land = (minute: number) =>
    warehouse.land(stateChanges, [
      { subject: 'source:sea-cwt', since: instant(minute), state: 'healthy', reason: null },
    ])
  await land(0)
  const runs: Promise<void>[] = []
  const watched = {
    ...pipeline,
    work: (...call: Parameters<typeof pipeline.work>) => {
      const run = pipeline.work(...call)
      runs.push(run)
      return run
    },
  }
  const scope = { includes: ({ kind }: { kind: string }) => kind === 'export', redis_url: undefined }
  const runner = await openRunner(settings, watched, log, scope)
  onTestFinished(() => runner.stop())
  const { open_data: folder } = dataPaths(settings.data_dir)
  const exportedRows = async () => (await readExportManifest(folder))?.rows ?? null

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  await runner.start()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(runs).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toHaveLength(1)
  await runs[0]
  expect(await exportedRows()).toBe(1)
  const first = await readFile(join(folder, 'manifest.json'), 'utf8')

  // Nothing changed: the next export leaves the same bytes.
  await vi.advanceTimersByTimeAsync(EVERY_SECONDS * 1_000)
  await runs[1]
  expect(await readFile(join(folder, 'manifest.json'), 'utf8')).toBe(first)

  await land(1)
  await vi.advanceTimersByTimeAsync((EVERY_SECONDS - 1) * 1_000)
  expect(runs).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1_000)
  await runs[2]
  expect(await exportedRows()).toBe(2)
})
