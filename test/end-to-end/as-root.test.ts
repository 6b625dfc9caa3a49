import { chownSync, lstatSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { holdshort } from './installation.ts'

const SERVICE = 12_345

test.runIf(process.getuid?.() === 0)(
  'commands of root leave the files of a data folder to its owner',
  async () => {
    const folder = await temporaryFolder()
    const csv = join(folder, 'waits.csv')
    await writeFile(csv, 'airport,observed_at,wait_minutes\nSEA,2026-11-20T10:00:00Z,7\nSEA,2026-11-20T11:00:00Z,9\n')
    const data = join(folder, 'data')
    await mkdir(data)
    chownSync(data, SERVICE, SERVICE)
    for (const words of [
      ['import', csv, '--kind', 'security'],
      ['run', 'rollup'],
      ['run', 'publish'],
      ['keys', 'issue', '--tier', 'free'],
      ['query', 'SELECT count(*) FROM readings'],
      ['backup', join(folder, 'backups')],
      ['doctor'],
    ]) {
      const { code, stderr } = await holdshort([...words, '--data-dir', data])
      expect([words[0], code, stderr]).toEqual([
        words[0],
        words[0] === 'doctor' ? expect.any(Number) : 0,
        expect.not.stringContaining('EACCES'),
      ])
    }
    const paths = await readdir(data, { recursive: true })
    expect(paths).toContain('warehouse/warehouse.duckdb')
    expect(paths).toContain('state.sqlite')
    expect(paths.filter((path) => lstatSync(join(data, path)).uid !== SERVICE)).toEqual([])
  },
  120_000,
)
