import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LicenceId } from '../../../config/licences.ts'
import { projectFile } from '../../../config/paths.ts'
import { selectTables } from '../../../warehouse/export/exported-tables.ts'
import { readExportManifest } from '../../../warehouse/export/manifest.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'
import { exportOf } from './export-of.ts'

/** Kills `holdshort export` some milliseconds after it began to write. */
async function killedWhileWriting(dataDir: string, folder: string, ms: number): Promise<void> {
  const words = ['export', folder, '--data-dir', dataDir, '--licence', 'sea-cwt=CC0-1.0']
  const child = spawn(process.execPath, [projectFile('dist', 'bin', 'holdshort.js'), ...words], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const staging = join(folder, '.holdshort-export', 'data')
  while (child.exitCode === null && !existsSync(staging)) await sleep(2)
  await sleep(ms)
  child.kill('SIGKILL')
  await ended
}

/** Paths whose content is not what the manifest says. */
async function wrongFiles(folder: string): Promise<string[]> {
  const { files } = (await readExportManifest(folder))!
  const wrong: string[] = []
  for (const { path, sha256 } of files) {
    const content = await readFile(join(folder, path)).catch(() => Buffer.alloc(0))
    if (createHash('sha256').update(content).digest('hex') !== sha256) wrong.push(path)
  }
  return wrong
}

test.runIf(EXHAUSTIVE)(
  'kill −9 leaves the old export whole or the next one finishes the new one',
  async () => {
    const [dataDir, folder, fresh] = await Promise.all([temporaryFolder(), temporaryFolder(), temporaryFolder()])
    const land = async (day: number) => {
      const warehouse = await openWarehouse(dataDir!)
      const months = ['05', '06', '07', '08', '09', '10']
      await warehouse.land(
        readings,
        months.map((month) => reading({ observed_at: `2026-${month}-${String(day).padStart(2, '0')}T10:00:00Z` })),
      )
      await warehouse.close()
    }
    const exportInto = (target: string) =>
      exportOf(dataDir!, {
        folder: target,
        tables: selectTables(['all']),
        terms: {
          simulated: false,
          own_licence: 'CC-BY-4.0',
          grants: new Map<string, LicenceId>([['sea-cwt', 'CC0-1.0']]),
          own_use: false,
        },
      })
    await land(1)
    await exportInto(folder!)
    for (const [k, ms] of [0, 15, 40, 80, 120].entries()) {
      await land(2 + k)
      await killedWhileWriting(dataDir!, folder!, ms)
      const { pending } = JSON.parse(await readFile(join(folder!, '.holdshort-export.json'), 'utf8'))
      if (pending === null) expect(await wrongFiles(folder!)).toEqual([])
      else {
        await exportInto(folder!)
        expect(await wrongFiles(folder!)).toEqual([])
      }
    }
    await exportInto(folder!)
    await exportInto(fresh!)
    const manifest = (path: string) => readFile(join(path, 'manifest.json'), 'utf8')
    expect(await manifest(folder!)).toBe(await manifest(fresh!))
    expect(await wrongFiles(folder!)).toEqual([])
    expect(readdirSync(join(folder!, '.holdshort-export'))).toEqual(['locks'])
  },
  60_000,
)
