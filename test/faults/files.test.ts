import { execFileSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openState } from '../../api/state/open.ts'
import {
  checkDataFolder,
  checkModels,
  checkSnapshot,
  checkState,
  checkWarehouse,
} from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { CLI } from '../../bin/runtime/supervised-child.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { readSoundCard } from '../../training/artifacts/artifact-files.ts'
import { loadSnapshot, loadSoundSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { keepHouse } from '../../warehouse/storage/housekeeping.ts'
import { readOrdinaryFile, readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { repetitions } from '../exhaustive.ts'
import { HARMS, ROUNDS, SEED } from './harms.ts'
import {
  ACCOUNTS,
  copyOf,
  expectNoRowLost,
  filesOf,
  makeInstallation,
  NOW,
  refreshAt,
  rowCounts,
  settingsOf,
} from './installation.ts'

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

interface FileFault {
  kind: string
  harm: string
  path: string
  seed: number
}

/** One fault for each kind of file and each harm; the seed decides which file of the kind. */
async function fileFaults(seed: number): Promise<FileFault[]> {
  const files = await filesOf(installation)
  return Object.keys(HARMS).flatMap((harm, h) =>
    KINDS.flatMap(([kind, pattern], k) => {
      const ofKind = files.filter((path) => pattern.test(path))
      const path = ofKind[Math.floor(seededRandom(seed + 31 * k + h)() * ofKind.length)]
      return path === undefined ? [] : [{ kind, harm, path, seed: seed + 31 * k + h }]
    }),
  )
}

async function isNamed(folder: string): Promise<boolean> {
  const settings = settingsOf(folder)
  const findings = await Promise.all([
    runCheck('data folder', () => checkDataFolder(settings)),
    runCheck('warehouse', () => checkWarehouse(settings)),
    runCheck('models', () => checkModels(settings, null)),
    runCheck('state', () => checkState(settings)),
    runCheck('snapshot', async () => (await checkSnapshot(settings, NOW)).verdict),
  ])
  return findings.some(({ level }) => level === 'wrong' || level === 'warning')
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
  // A bit of a block that holds nothing says nothing; `drawn.test.ts` compares all rows.
  if (kind === 'warehouse') return /flipped|overwritten/.test(harm)
  // SQLite has no checksums: what is changed inside a value is a value.
  return kind === 'state' && /flipped|overwritten/.test(harm)
}

/** The state has every account after a fault, or is refused with a code of its own. */
async function expectAccountsOrRefusal(folder: string): Promise<void> {
  try {
    const state = await openState(settingsOf(folder))
    const accounts = await state.db.selectFrom('accounts').select('id').execute()
    await state.close()
    expect(accounts).toHaveLength(ACCOUNTS)
  } catch (error) {
    const isReported = error instanceof HoldshortError || /^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? '')
    if (!isReported) throw error
  }
}

/** Does one harm to a copy of the installation, starts it again, and compares it with what there was. */
async function tryFileFault(fault: FileFault): Promise<void> {
  const folder = await copyOf(installation)
  const { snapshots } = dataPaths(folder)
  const path = join(folder, fault.path)
  const pattern = KINDS.find(([kind]) => kind === fault.kind)![1]
  const others = (await filesOf(folder)).filter((file) => pattern.test(file) && file !== fault.path)
  const random = () => seededRandom(fault.seed)
  const other = join(folder, others[Math.floor(random()() * others.length)] ?? 'world.json')
  const wasSame = (await readFile(path)).equals(await readFile(other))
  await HARMS[fault.harm]!(path, other, random())
  const isHarmed =
    !wasSame &&
    !(await readOrdinaryFile(path).catch(() => null))?.equals(await readFile(join(installation, fault.path)))
  const isToBeNamed = isHarmed && !UNNAMED.has(fault.kind) && !OLDER.test(fault.path)
  if (isToBeNamed) expect((await isNamed(folder)) || (await isSameMeaning(folder, fault)), 'is named').toBe(true)
  // What is served before anything is mended.
  expect(await loadSoundSnapshot(snapshots, () => undefined)).not.toBeNull()
  await checkSimulatedMark(settingsOf(folder))
  if (fault.kind === 'warehouse')
    execFileSync(process.execPath, [CLI, 'repair', '--data-dir', folder], { stdio: 'pipe' })
  const warehouse = await openWarehouse(folder)
  await refreshAt(warehouse, NOW + 60_000)
  const { copied } = await keepHouse(warehouse, NOW + 2 * DAY_MS).finally(warehouse.close)
  expect(copied).toBe(true)
  await expectNoRowLost(folder, before)
  expect((await loadSnapshot(snapshots))?.generated_ms).toBe(NOW + 60_000)
  await expectAccountsOrRefusal(folder)
  await rm(folder, { recursive: true, force: true })
}

let installation = ''
let before = new Map<string, number>()
beforeAll(async () => {
  installation = await makeInstallation()
  before = await rowCounts(installation)
}, 120_000)
afterAll(() => rm(installation, { recursive: true, force: true }))

test(
  'harmed files of every kind lose no row that was acknowledged, and the doctor names them',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const faults = await fileFaults(SEED + 1_000 * round)
      const random = seededRandom(SEED)
      const drawn = faults.toSorted(() => random() - 0.5)
      for (const fault of drawn.slice(0, ROUNDS > 1 ? drawn.length : repetitions(2, 24)))
        await tryFileFault(fault).catch((error: Error) => {
          throw new Error(`${JSON.stringify(fault)}: ${error.message}`, { cause: error })
        })
    }
  },
  240_000 * ROUNDS,
)
