import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, open, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkWarehouse } from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { CLI } from '../../bin/runtime/supervise.ts'
import { DAY_MS } from '../../config/domain.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { recoverCaptures } from '../../pipeline/collecting/replay.ts'
import { CHANGES } from '../../warehouse/storage/changes.ts'
import { keepHouse, readInFull } from '../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { ROUNDS, SEED } from './harms.ts'
import { collectAt, makeInstallation, NOW, rowCounts, settingsOf } from './installation.ts'

/** Rows that raw captures give back. */
const OBSERVATIONS = ['readings', 'delays', 'metars', 'tafs', 'weather_alerts', 'weather_zones', 'places']
const FILE = dataPaths('').warehouse_file
const LOG = `${FILE}.wal`

interface Original {
  folder: string
  /** The rows of each table, and a sum over all of their values. */
  sums: string
  counts: Map<string, number>
}

async function contentsOf(folder: string): Promise<Pick<Original, 'sums' | 'counts'>> {
  // Upkeep trims what is known of changes.
  const sums = (await readInFull(folder, 20_000)).filter(({ name }) => name !== CHANGES)
  return { sums: JSON.stringify(sums), counts: new Map(sums.map(({ name, rows }) => [name, rows])) }
}

async function copied(folder: string): Promise<string> {
  const copy = await temporaryFolder()
  // Whoever uses the original does not use its copy.
  await cp(folder, copy, { recursive: true, preserveTimestamps: true, filter: (path) => basename(path) !== 'locks' })
  return copy
}

/** An installation that collected for some minutes more after the copy of its warehouse, and the same with the log of the last landing. */
async function originals(): Promise<Record<'checkpointed' | 'logged', Original>> {
  const checkpointed = await makeInstallation()
  const logged = await temporaryFolder()
  await collectAt(checkpointed, [NOW + 300_000, NOW + 600_000])
  // On a busy machine the engine may have let go of the file, and of its log, before it is copied.
  for (let attempt = 0; attempt < 5 && !existsSync(join(logged, LOG)); attempt += 1)
    await collectAt(checkpointed, [NOW + 900_000 + attempt * 60_000], () =>
      // Another process copies: this one must not open the file while its engine has it.
      execFileSync('cp', ['-a', `${checkpointed}/.`, logged]),
    )
  return {
    checkpointed: { folder: checkpointed, ...(await contentsOf(checkpointed)) },
    logged: { folder: logged, ...(await contentsOf(await copied(logged))) },
  }
}

/** What becomes of the copy of the next night. */
async function nightlyCopy(folder: string): Promise<string> {
  const warehouse = await openWarehouse(folder)
  try {
    return (await keepHouse(warehouse, NOW + 2 * DAY_MS)).copied ? 'copied' : 'no copy'
  } catch (error) {
    return (error as HoldshortError).code ?? (error as Error).message
  } finally {
    await warehouse.close().catch(() => undefined)
  }
}

const observationsOf = (counts: Map<string, number>) =>
  Object.fromEntries(OBSERVATIONS.map((table) => [table, counts.get(table)]))

/** Flips a bit of a copy; the fault is named and repaired, or nothing has changed. */
async function tryFlip(original: Original, path: string, random: () => number): Promise<void> {
  const folder = await copied(original.folder)
  const file = join(folder, path)
  const { size } = await stat(file)
  const at = Math.floor(random() * size)
  const bit = Math.floor(random() * 8)
  const bytes = await open(file, 'r+')
  const { buffer } = await bytes.read(Buffer.alloc(1), 0, 1, at)
  await bytes.write(Buffer.of(buffer[0]! ^ (1 << bit)), 0, 1, at)
  await bytes.close()
  const what = `${path}, byte ${at} of ${size}, bit ${bit}`
  const { warehouse_copy } = dataPaths(folder)
  const copyBefore = await readFile(warehouse_copy)
  const check = () => runCheck('warehouse', () => checkWarehouse(settingsOf(folder)))
  const { level, says } = await check()
  const nightly = await nightlyCopy(folder)
  if (level === 'wrong') {
    expect(says, what).toContain('holdshort repair')
    // A bit of the identity of the log makes it that of another file.
    expect(nightly, what).toMatch(path === LOG ? /^WAREHOUSE_(CORRUPT|LOG_MISMATCH)$/ : /^WAREHOUSE_CORRUPT$/)
    expect((await readFile(warehouse_copy)).equals(copyBefore), `${what}: the last good copy stays`).toBe(true)
    const report = execFileSync(process.execPath, [CLI, 'repair', '--json', '--data-dir', folder], { stdio: 'pipe' })
    expect(JSON.parse(String(report)), what).toMatchObject({ damaged: true })
    expect(observationsOf(await rowCounts(folder)), what).toEqual(observationsOf(original.counts))
    expect((await check()).level, what).toBe('ok')
    return
  }
  expect(nightly, what).toBe('copied')
  const { sums } = await contentsOf(folder)
  if (path !== LOG) expect(sums, what).toBe(original.sums)
  if (sums === original.sums) return
  // A log with a wrong length looks like one whose end was never written. The captures have the rows, as after a kill.
  const warehouse = await openWarehouse(folder)
  await recoverCaptures(warehouse, NOW + 3_600_000).finally(warehouse.close)
  expect(observationsOf(await rowCounts(folder)), what).toEqual(observationsOf(original.counts))
}

test(
  'a flipped bit of the file or its log is named, and repaired from the copy and the captures',
  async () => {
    const random = seededRandom(SEED)
    const { checkpointed, logged } = await originals()
    const hasLog = existsSync(join(logged.folder, LOG))
    for (let flip = 0; flip < repetitions(2, 16) * ROUNDS; flip += 1)
      await (hasLog && flip % 8 === 7 ? tryFlip(logged, LOG, random) : tryFlip(checkpointed, FILE, random))
  },
  240_000 * ROUNDS,
)
