import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openState } from '../../api/state/open.ts'
import {
  checkDataFolder,
  checkModels,
  checkSnapshot,
  checkState,
  checkWarehouse,
} from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { CLI } from '../../bin/runtime/supervise.ts'
import { DAY_MS } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { readSoundCard } from '../../training/artifacts/artifact-files.ts'
import { loadSnapshot, loadSoundSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { keepHouse } from '../../warehouse/storage/housekeeping.ts'
import { readOrdinaryFile, readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { HARMS, randomFrom } from './harms.ts'
import { ACCOUNTS, copyOf, filesOf, NOW, refreshAt, settingsOf } from './installation.ts'
import type { Outcome } from './outcome.ts'

/** The kinds of files of a data folder, by their path. */
const KINDS: [string, RegExp][] = [
  ['warehouse', /^warehouse\/warehouse\.duckdb$/],
  ['copy of the warehouse', /^warehouse\/copy\.duckdb$/],
  ['pointer to the snapshot', /^snapshots\/CURRENT$/],
  ['snapshot', /^snapshots\/\d/],
  ['model', /^models\//],
  ['mark of the world', /^world\.json$/],
  ['lock', /^locks\//],
  ['raw capture', /^raw\//],
  ['state', /^state\.sqlite$/],
  ['marker of the state', /^state\.sqlite-marker$/],
  ['pepper', /^key-pepper$/],
]

/** Files that the doctor need not name, because nothing depends on them or nothing can tell: among others older snapshots and models. */
const UNNAMED = new Set(['copy of the warehouse', 'lock', 'raw capture', 'marker of the state'])
const OLDER = /^(snapshots\/(?!20261121T100000Z)\d|models\/.*T04Z\/)/

export interface FileFault {
  kind: string
  harm: string
  path: string
  seed: number
}

/** One fault for each kind of file and each harm; the seed decides which file of the kind. */
export async function fileFaults(installation: string, seed: number): Promise<FileFault[]> {
  const files = await filesOf(installation)
  // Harm by harm, so that the first faults are of many kinds.
  return Object.keys(HARMS).flatMap((harm, h) =>
    KINDS.flatMap(([kind, pattern], k) => {
      const ofKind = files.filter((path) => pattern.test(path))
      const path = ofKind[Math.floor(randomFrom(seed + 31 * k + h)() * ofKind.length)]
      return path === undefined ? [] : [{ kind, harm, path, seed: seed + 31 * k + h }]
    }),
  )
}

async function countRows(warehouse: Warehouse): Promise<Map<string, number>> {
  const counts = allTables.map(({ name }) => `SELECT '${name}' AS name, count(*) AS n FROM ${name}`)
  const rows = await warehouse.query<{ name: string; n: number }>(counts.join(' UNION ALL '))
  return new Map(rows.map(({ name, n }) => [name, n]))
}

/** Rows of each table of a folder. */
export async function rowCounts(folder: string): Promise<Map<string, number>> {
  const warehouse = await openWarehouse(folder)
  return countRows(warehouse).finally(warehouse.close)
}

async function isNamed(folder: string): Promise<boolean> {
  const settings = settingsOf(folder)
  const findings = await Promise.all([
    runCheck('data folder', () => checkDataFolder(settings)),
    runCheck('warehouse', () => checkWarehouse(settings)),
    runCheck('models', () => checkModels(settings)),
    runCheck('state', () => checkState(settings)),
    runCheck('snapshot', async () => (await checkSnapshot(settings, NOW)).verdict),
  ])
  return findings.some(({ level }) => level === 'wrong' || level === 'warning')
}

/** What the state holds after a fault: every account, or a refusal with a code of its own. */
async function stateOutcome(folder: string): Promise<string | null> {
  try {
    const state = await openState(settingsOf(folder))
    const accounts = await state.db.selectFrom('accounts').select('id').execute()
    await state.close()
    return accounts.length === ACCOUNTS ? null : `${accounts.length} of ${ACCOUNTS} accounts, without a word`
  } catch (error) {
    const isTold = error instanceof HoldshortError || /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')
    return isTold ? null : `the state fails with ${String(error)}`
  }
}

/** Does one harm to a copy of the installation, starts it again, and compares it with what there was. */
export async function tryFileFault(
  installation: string,
  fault: FileFault,
  before: Map<string, number>,
): Promise<Outcome> {
  const folder = await copyOf(installation)
  const problems: string[] = []
  const started = performance.now()
  let lost = 0
  try {
    const path = join(folder, fault.path)
    const pattern = KINDS.find(([kind]) => kind === fault.kind)![1]
    const files = await filesOf(folder)
    const others = files.filter((file) => pattern.test(file) && file !== fault.path)
    const other = join(folder, others[Math.floor(randomFrom(fault.seed)() * others.length)] ?? 'world.json')
    const wasSame = (await readFile(path)).equals(await readFile(other))
    await HARMS[fault.harm]!(path, other, randomFrom(fault.seed))
    const isHarmed =
      !wasSame &&
      !(await readOrdinaryFile(path).catch(() => null))?.equals(await readFile(join(installation, fault.path)))
    const isToBeNamed = isHarmed && !UNNAMED.has(fault.kind) && !OLDER.test(fault.path)
    if (isToBeNamed && !(await isNamed(folder)) && !(await isSameMeaning(folder, fault)))
      problems.push('the doctor does not name it')
    // What is served before anything is mended.
    const served = await loadSoundSnapshot(dataPaths(folder).snapshots, () => undefined)
    if (served === null) problems.push('no snapshot can be served')
    await checkSimulatedMark(settingsOf(folder))
    if (fault.kind === 'warehouse')
      execFileSync(process.execPath, [CLI, 'repair', '--data-dir', folder], { stdio: 'pipe' })
    const warehouse = await openWarehouse(folder)
    const after = await refreshAt(warehouse, NOW + 60_000)
      .then(() => keepHouse(warehouse, NOW + 2 * DAY_MS))
      .then(({ copied }) => (copied ? countRows(warehouse) : Promise.reject(new Error('no copy was made'))))
      .finally(warehouse.close)
    for (const [table, rows] of before) {
      const missing = rows - (after.get(table) ?? 0)
      if (missing <= 0) continue
      lost += missing
      problems.push(`${missing} rows of ${table} are lost`)
    }
    if ((await loadSnapshot(dataPaths(folder).snapshots))?.generated_ms !== NOW + 60_000)
      problems.push('the newest snapshot cannot be loaded')
    const stateProblem = await stateOutcome(folder)
    if (stateProblem) problems.push(stateProblem)
  } catch (error) {
    problems.push(`${(error as HoldshortError).code ?? ''} ${(error as Error).message}`.trim().slice(0, 200))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return {
    kind: `${fault.kind}: ${fault.harm}`,
    what: `${fault.path} (seed ${fault.seed})`,
    lost,
    problems,
    healthyMs: performance.now() - started,
  }
}

/** Whether a changed file still says the same, as a JSON text in which a space was flipped. */
async function isSameMeaning(folder: string, { kind, path, harm }: FileFault): Promise<boolean> {
  if (kind === 'mark of the world')
    return JSON.parse(await readOrdinaryText(join(folder, path)).catch(() => '{}'))?.simulated === true
  if (kind === 'model')
    return readSoundCard(join(folder, path, '..')).then(
      () => true,
      () => false,
    )
  // A bit of a block that holds nothing says nothing; `bit-faults.ts` compares all rows.
  if (kind === 'warehouse') return /flipped|overwritten/.test(harm)
  // SQLite has no checksums: what is changed inside a value is a value.
  return kind === 'state' && /flipped|overwritten/.test(harm)
}
