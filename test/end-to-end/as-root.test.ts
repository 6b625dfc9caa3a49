import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readFileSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
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

/** Runs a command as the user of a service. */
const asService = (...words: string[]) =>
  spawnSync(process.execPath, [projectFile('dist', 'bin', 'holdshort.js'), ...words], {
    uid: SERVICE,
    gid: SERVICE,
    env: { HOME: '/tmp', HOLDSHORT_SIMULATED_WORLD: 'http://127.0.0.1:9' },
    encoding: 'utf8',
  })

// The project may lie in a folder that other users cannot enter.
test.runIf(process.getuid?.() === 0 && asService('--version').status === 0)(
  'what a user may not read or write is called neither damaged, nor empty, nor gone',
  async () => {
    const folder = await temporaryFolder()
    chmodSync(folder, 0o711)
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    const { warehouse, warehouse_file, world, models } = dataPaths(data)
    const shown = (...words: string[]) => {
      const { status, stdout, stderr } = asService(...words, '--data-dir', data)
      expect([status, stdout], `${words}: ${stderr}`).toEqual([1, ''])
      return stderr
    }
    for (const words of [['backup', join(folder, 'b')], ['models', 'list'], ['mcp'], ['live', 'JFK'], ['start']])
      expect(shown(...words), words.join(' ')).toMatch(
        `DATA_FOLDER_UNUSABLE: ${data} cannot be used: this user may not read it`,
      )
    chownSync(data, SERVICE, SERVICE)
    expect(asService('run', 'rollup', '--data-dir', data).status).toBe(0)
    const before = readFileSync(warehouse_file)
    chownSync(warehouse, 0, 0)
    expect(shown('run', 'publish')).toMatch(/^DATA_FOLDER_UNUSABLE: \S+\.wal cannot be used: permission denied/m)
    chmodSync(warehouse, 0o700)
    for (const words of [
      ['run', 'publish'],
      ['run', 'rollup'],
    ])
      expect(shown(...words)).toMatch(/^DATA_FOLDER_UNUSABLE: \S+\.duckdb cannot be used: permission denied/m)
    chmodSync(warehouse, 0o755)
    chownSync(warehouse_file, 0, 0)
    chmodSync(warehouse_file, 0o600)
    expect(shown('run', 'publish')).toMatch(/^DATA_FOLDER_UNUSABLE: \S+\.duckdb cannot be used: permission denied/m)
    expect(readFileSync(warehouse_file).equals(before)).toBe(true)
    await mkdir(models, { recursive: true })
    for (const path of [world, join(models, 'registry.json')]) {
      await writeFile(path, '{"simulated":true}')
      chownSync(path, 0, 0)
      chmodSync(path, 0o600)
    }
    expect(shown('models', 'list')).toMatch(/^EACCES: \S+registry\.json may not be used by this user/m)
    expect(shown('start')).toMatch(/^EACCES: \S+world\.json may not be used by this user/m)
  },
  120_000,
)

test.runIf(process.getuid?.() === 0 && asService('--version').status === 0)(
  'a file of the state that another user owns is named by commands and the doctor',
  async () => {
    const folder = await temporaryFolder()
    chmodSync(folder, 0o711)
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    chownSync(data, SERVICE, SERVICE)
    expect(asService('keys', 'issue', '--tier', 'free', '--data-dir', data).status).toBe(0)
    const { state } = dataPaths(data)
    for (const [path, mode] of [
      [`${state}-wal`, 0o644],
      [`${state}-shm`, 0o600],
      [state, 0o644],
      [state, 0o600],
    ] as const) {
      if (path !== state) await writeFile(path, '')
      chownSync(path, 0, 0)
      chmodSync(path, mode)
      for (const words of [['keys', 'issue', '--tier', 'free'], ['start']]) {
        const { status, stderr } = asService(...words, '--data-dir', data)
        expect([status, stderr], `${words} ${path} ${mode}`).toEqual([
          1,
          expect.stringContaining(`may not use ${path})`),
        ])
      }
      const { stdout } = asService('doctor', '--json', '--data-dir', data)
      const found = JSON.parse(stdout) as { check: string; says: string }[]
      expect(found.find(({ check }) => check === 'data folder')?.says).toMatch(`${path} cannot be written (EACCES)`)
      if (path !== state) await rm(path)
    }
    const backups = join(folder, 'backups')
    await mkdir(backups)
    chownSync(backups, SERVICE, SERVICE)
    const { status, stderr } = asService('backup', backups, '--data-dir', data)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^STATE_UNWRITABLE: .* could not be copied to/m)])
    expect(stderr).not.toContain('    at ')
  },
  120_000,
)

test.runIf(process.getuid?.() === 0 && asService('--version').status === 0)(
  'an old snapshot of another user hides none that can be read',
  async () => {
    const folder = await temporaryFolder()
    chmodSync(folder, 0o711)
    const data = join(folder, 'data')
    await mkdir(data)
    chownSync(data, SERVICE, SERVICE)
    expect(asService('run', 'publish', '--data-dir', data).status).toBe(0)
    await mkdir(join(dataPaths(data).snapshots, '20200101T000000Z'), { mode: 0o700 })
    expect(asService('doctor', '--data-dir', data).stdout).not.toContain('cannot be read')
  },
  60_000,
)
