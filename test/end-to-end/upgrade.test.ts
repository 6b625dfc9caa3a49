import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openSqlite } from '../../api/state/sqlite.ts'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { json, run } from './commands.ts'
import { startInstallation } from './installation.ts'

/**
 * A backup that release 0.1.0 made (its commands `import`, `keys issue`, `train`, `run publish` and `backup`): 1,080 readings of JFK, an
 * Enterprise key, a model and a snapshot; and the key. Each release adds its own here.
 */
const RELEASE = projectFile('test', 'end-to-end', 'releases', '0.1.0.tar.gz')
const READINGS = 1_080
const QUICK = {
  seeds: [1],
  fit: { epochs: 1, origin_step_hours: 48, lane_examples: 0 },
  backtest: { hold_out_days: 4, every_hours: 24, refit_days: 365, burn_in_days: 4 },
}

interface Check {
  check: string
  level: string
}

async function unpacked() {
  const folder = await temporaryFolder()
  await promisify(execFile)('tar', ['xzf', RELEASE, '-C', folder])
  const key = (await readFile(join(folder, 'key.txt'), 'utf8')).trim()
  return { folder, backup: join(folder, 'backup'), key }
}

async function countReadings(dataDir: string): Promise<number> {
  const { stdout } = await run('query', 'SELECT count(*) AS n FROM readings', '--format', 'json', '--data-dir', dataDir)
  return Number((JSON.parse(stdout) as [{ n: number }])[0].n)
}

const keysOf = async (dataDir: string) =>
  (await json<{ id: string; tier: string }[]>('keys', 'list', '--json', '--data-dir', dataDir)).map(({ id }) => id)

test('a data folder of the last release serves on after an upgrade, trains, and its backup leads back', async () => {
  const { folder, backup, key } = await unpacked()
  const [data, before] = [join(folder, 'data'), join(folder, 'before')]
  expect((await run('restore', backup, '--generation', '1', '--data-dir', data)).code).toBe(0)
  expect((await run('restore', backup, '--generation', '7', '--verify')).stderr).toContain('holds the generations 1')
  const doctor = async () => JSON.parse((await run('doctor', '--json', '--data-dir', data)).stdout) as Check[]
  const levelOf = (checks: Check[], name: string) => checks.find(({ check }) => check === name)?.level
  const untouched = await doctor()
  expect(['state', 'warehouse', 'snapshot', 'models'].map((name) => levelOf(untouched, name))).toEqual([
    'ok',
    'ok',
    'ok',
    'warning',
  ])

  const keys = await keysOf(data)
  expect(keys).toHaveLength(1)
  expect(await countReadings(data)).toBe(READINGS)
  const { address, healthy, supervisor } = await startInstallation(data, {}, 'serve')
  await healthy(({ snapshot }) => snapshot !== null)
  const history = `${address}/api/v1/airports/JFK/historical?from=2026-11-01&to=2026-11-08`
  const answer = await fetch(history, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  expect(((await answer.json()) as { hours: unknown[] }).hours.length).toBeGreaterThan(100)
  supervisor.kill()

  const settings = join(folder, 'settings.json')
  await writeFile(settings, JSON.stringify(QUICK))
  expect((await run('train', '--settings', settings, '--data-dir', data)).code).toBe(0)
  expect((await run('run', 'publish', '--data-dir', data)).code).toBe(0)
  expect(levelOf(await doctor(), 'models')).toBe('ok')

  expect((await run('restore', backup, '--data-dir', before)).code).toBe(0)
  expect(await countReadings(before)).toBe(READINGS)
  expect(await keysOf(before)).toEqual(keys)
}, 120_000)

test('a state that a later release has changed is refused and left as it is, and the doctor says so', async () => {
  const { folder, backup } = await unpacked()
  const data = join(folder, 'data')
  await run('restore', backup, '--data-dir', data)
  const { db, close } = await openSqlite(dataPaths(data).state)
  const later = { name: '009-of-a-later-release', timestamp: '2027-01-01T00:00:00Z' }
  await db
    .insertInto('kysely_migration' as never)
    .values(later as never)
    .execute()
  await close()
  const { code, stderr } = await run('keys', 'list', '--data-dir', data)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('another release') })
  const { stdout } = await run('doctor', '--data-dir', data)
  expect(stdout).toMatch(/state +WRONG +.*another release/)
})
