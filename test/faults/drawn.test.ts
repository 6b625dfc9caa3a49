import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { checkWarehouse } from '../../bin/doctor/check-folder.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { DAY_MS } from '../../config/vocabulary.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { recoverCaptures } from '../../pipeline/collecting/replay.ts'
import { CHANGES } from '../../warehouse/storage/changes.ts'
import { keepHouse, readInFull } from '../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { run } from '../end-to-end/commands.ts'
import { repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { onFile } from '../warehouse/on-file.ts'
import { DrawnFaults, HARMS, ROUNDS, seedsOf } from './harms.ts'
import { collectAt, copyOf, makeInstallation, NOW, rowCounts, settingsOf } from './installation.ts'

/** `FAULTS_ROUNDS=25 npm run faults -- drawn` draws a thousand. */
const SEEDS = seedsOf(repetitions(4, 40) * ROUNDS)
const FLIP_SEEDS = seedsOf(repetitions(4, 24) * ROUNDS)

/** Rows that raw captures give back. */
const OBSERVATIONS = ['readings', 'delays', 'metars', 'tafs', 'weather_alerts', 'weather_zones', 'places']

/** Data folders and files of one installation at different times, and of another one. */
interface Originals {
  /** Everything is in the file. */
  checkpointed: string
  /** The last rows are in the log. */
  logged: string
  /** A file and its log before the last rows, and those of another installation. */
  earlier: string
  foreign: string
}

/** Copies the file and its log as another process finds them after a landing. */
async function pairWhileOpen(folder: string, from: number): Promise<string> {
  const target = await temporaryFolder()
  const { warehouse_file } = dataPaths(folder)
  const saved = join(target, basename(warehouse_file))
  for (let attempt = 0; attempt < 5 && !existsSync(`${saved}.wal`); attempt += 1)
    await collectAt(folder, [from + attempt * 60_000], () =>
      execFileSync(
        'sh',
        ['-c', `cp -a '${warehouse_file}' '${saved}'; cp -a '${warehouse_file}.wal' '${saved}.wal' || true`],
        {
          stdio: 'ignore',
        },
      ),
    )
  return saved
}

/** A sum over all values of each table. Upkeep trims what is known of changes. */
const sumsOf = async (folder: string) => (await readInFull(folder, 20_000)).filter(({ name }) => name !== CHANGES)

/** What becomes of the copy of the next night. */
async function nightlyCopy(folder: string): Promise<string> {
  await using warehouse = await openWarehouse(folder)
  return await keepHouse(warehouse, NOW + 2 * DAY_MS).then(
    ({ copied }) => (copied ? 'copied' : 'no copy'),
    (error: HoldshortError) => error.code ?? error.message,
  )
}

let originals: Originals
let counts: Record<'checkpointed' | 'logged', Map<string, number>>
let ofCopy: Map<string, number>

async function makeOriginals(): Promise<void> {
  const checkpointed = await makeInstallation()
  ofCopy = await rowCounts(checkpointed)
  const earlier = await pairWhileOpen(checkpointed, NOW + 300_000)
  await collectAt(checkpointed, [NOW + 900_000])
  const pair = await pairWhileOpen(checkpointed, NOW + 1_200_000)
  const logged = await copyOf(checkpointed)
  for (const end of ['', '.wal']) await copyFile(`${pair}${end}`, `${dataPaths(logged).warehouse_file}${end}`)
  const foreign = await pairWhileOpen(await makeInstallation([NOW - DAY_MS, NOW]), NOW + 300_000)
  originals = { checkpointed, logged, earlier, foreign }
  counts = { checkpointed: await rowCounts(checkpointed), logged: await rowCounts(await copyOf(logged)) }
}

interface Fault {
  state: 'checkpointed' | 'logged'
  /** What the doctor must say; null where the fault may hit what nothing uses, or looks like a kill. */
  says: RegExp | null
  /** Whether the file itself is as it was, so that every table has its rows in the end. */
  isFileSound?: true
  /** What the copy of the next night says of a flipped bit that the doctor names. */
  nightly?: RegExp
  harm: (file: string, random: () => number) => Promise<unknown>
}

const flipBit = (path: string, random: () => number) => HARMS['a bit flipped']!(path, '', random)

const replace = async (file: string, source: string, ends: readonly string[]) => {
  for (const end of ends) await copyFile(`${source}${end}`, `${file}${end}`)
}

const KINDS: Record<string, Fault> = {
  'an empty database': {
    state: 'checkpointed',
    says: /WAREHOUSE_FOREIGN/,
    harm: async (file) => {
      await rm(file)
      await onFile(file, 'SELECT 1')
    },
  },
  'the file of another installation': {
    state: 'checkpointed',
    says: /WAREHOUSE_FOREIGN/,
    harm: (file) => replace(file, originals.foreign, ['']),
  },
  'the file of another installation, with its log': {
    state: 'checkpointed',
    says: /WAREHOUSE_FOREIGN/,
    harm: (file) => replace(file, originals.foreign, ['', '.wal']),
  },
  'the file of another installation beside our log': {
    state: 'logged',
    says: /WAREHOUSE_(FOREIGN|LOG_MISMATCH)/,
    harm: (file) => replace(file, originals.foreign, ['']),
  },
  'a log of another installation': {
    state: 'checkpointed',
    says: /WAREHOUSE_LOG_MISMATCH/,
    isFileSound: true,
    harm: (file) => replace(file, originals.foreign, ['.wal']),
  },
  'a log of an earlier state': {
    state: 'checkpointed',
    says: /WAREHOUSE_LOG_MISMATCH/,
    isFileSound: true,
    harm: (file) => replace(file, originals.earlier, ['.wal']),
  },
  'an earlier file beside the present log': {
    state: 'logged',
    says: /WAREHOUSE_LOG_MISMATCH/,
    harm: (file) => replace(file, originals.earlier, ['']),
  },
  'an earlier file and no log': {
    state: 'checkpointed',
    says: null,
    harm: (file) => replace(file, originals.earlier, ['']),
  },
  'an earlier file with its log': {
    state: 'checkpointed',
    says: null,
    harm: (file) => replace(file, originals.earlier, ['', '.wal']),
  },
  'a log that is gone': { state: 'logged', says: null, harm: (file) => rm(`${file}.wal`) },
  'a cut log': {
    state: 'logged',
    says: null,
    harm: async (file, random) => truncate(`${file}.wal`, Math.floor(random() * (await stat(`${file}.wal`)).size)),
  },
  'a flipped bit in the log': {
    state: 'logged',
    says: null,
    // A bit of the identity of the log makes it that of another file.
    nightly: /^WAREHOUSE_(CORRUPT|LOG_MISMATCH)$/,
    harm: (file, random) => flipBit(`${file}.wal`, random),
  },
  'a flipped bit in the file': {
    state: 'checkpointed',
    says: null,
    nightly: /^WAREHOUSE_CORRUPT$/,
    harm: flipBit,
  },
  'a flipped bit in the file beside its log': { state: 'logged', says: null, harm: flipBit },
  'a cut file': {
    state: 'checkpointed',
    says: /WAREHOUSE_CORRUPT|damaged/,
    harm: async (file, random) => truncate(file, Math.floor(random() * 0.9 * (await stat(file)).size)),
  },
  'a file of zeros': {
    state: 'checkpointed',
    says: /only zeros/,
    harm: (file) => writeFile(file, Buffer.alloc(100_000)),
  },
  'a file of SQLite': {
    state: 'checkpointed',
    says: /SQLite/,
    harm: (file) => copyFile(join(file, '..', '..', 'state.sqlite'), file),
  },
  'a view in the place of a table': {
    state: 'checkpointed',
    says: /view in the place of the table metars/,
    harm: async (file) => {
      await onFile(file, 'ALTER TABLE f.metars RENAME TO metars_too')
      await onFile(file, 'CREATE VIEW f.metars AS FROM f.metars_too')
    },
  },
  'a file that is gone': { state: 'checkpointed', says: /gone/, harm: (file) => rm(file) },
  'a file and a copy that are gone': {
    state: 'checkpointed',
    says: /gone/,
    harm: async (file) => {
      await rm(file)
      await rm(join(file, '..', 'copy.duckdb'))
    },
  },
}

/** Keys that have several rows, over all tables. */
async function doubledRows(folder: string): Promise<string[]> {
  await using warehouse = await openWarehouse(folder)
  const doubled: string[] = []
  for (const { name, key } of allTables) {
    const columns = key.map((column) => `"${column}"`).join(', ')
    const [found] = await warehouse.query<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT ${columns} FROM ${name} GROUP BY ${columns} HAVING count(*) > 1)`,
    )
    if (found!.n > 0) doubled.push(`${name}: ${found!.n}`)
  }
  return doubled
}

/** Does one fault to a copy of the installation, follows the way out that the doctor names, and compares all rows; returns whether it was refused. */
async function tryFault(kind: string, random: () => number): Promise<boolean> {
  const { state, says: expected, isFileSound, nightly, harm } = KINDS[kind]!
  const folder = await copyOf(originals[state])
  const { warehouse_file, warehouse_copy } = dataPaths(folder)
  const hasCopy = () => existsSync(warehouse_copy)
  await harm(warehouse_file, random)
  const withCopy = hasCopy()
  const check = () => runCheck('warehouse', () => checkWarehouse(settingsOf(folder)))
  const { level, says } = await check()
  if (expected !== null) expect([level, says]).toEqual(['wrong', expect.stringMatching(expected)])
  if (nightly) {
    const before = await readFile(warehouse_copy)
    expect(await nightlyCopy(folder)).toMatch(level === 'wrong' ? nightly : /^copied$/)
    if (level === 'wrong') expect((await readFile(warehouse_copy)).equals(before)).toBe(true)
    else if (state === 'checkpointed')
      expect(await sumsOf(folder)).toEqual(await sumsOf(await copyOf(originals[state])))
  }
  if (level === 'wrong') {
    expect(says).toContain('holdshort repair')
    const { code, stderr, stdout } = await run('repair', '--data-dir', folder, '--json')
    expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
    if (nightly) expect(JSON.parse(stdout)).toMatchObject({ damaged: true })
    expect((await check()).level).toBe('ok')
  }
  {
    // As at each start: captures without a row in `runs` are parsed.
    await using warehouse = await openWarehouse(folder)
    await recoverCaptures(warehouse, NOW + 3_600_000)
  }
  const after = await rowCounts(folder)
  for (const table of OBSERVATIONS) expect([table, after.get(table)]).toEqual([table, counts[state].get(table)])
  const leastOfCopy = withCopy ? ofCopy : new Map<string, number>()
  const least = isFileSound ? counts[state] : leastOfCopy
  for (const [table, rows] of least) expect([table, after.get(table)! >= rows]).toEqual([table, true])
  expect(await doubledRows(folder)).toEqual([])
  {
    await using warehouse = await openWarehouse(folder)
    expect((await keepHouse(warehouse, NOW + 400 * DAY_MS)).copied).toBe(true)
  }
  await rm(folder, { recursive: true, force: true })
  return level === 'wrong'
}

const kinds = Object.keys(KINDS)
const flips = kinds.filter((kind) => KINDS[kind]!.nightly)
const drawn = (seeds: number[], from: string[]) => seeds.map((seed) => ({ seed, kind: from[seed % from.length]! }))

test(
  'drawn faults of the file, its log and its copy lose and double no row, and each refusal has a way out',
  async () => {
    await makeOriginals()
    const faults = new DrawnFaults()
    for (const { seed, kind } of [...drawn(SEEDS, kinds), ...drawn(FLIP_SEEDS, flips)]) {
      const isRefused = await tryFault(kind, seededRandom(seed)).catch((error: Error) => {
        throw new Error(`seed ${seed}, ${kind}: ${error.message}`, { cause: error })
      })
      faults.count(kind, isRefused)
    }
    await rm(originals.checkpointed, { recursive: true, force: true })
    faults.print('the file, its log and its copy')
  },
  480_000 * ROUNDS,
)
