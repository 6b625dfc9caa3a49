import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkStore } from '../../bin/doctor/check-store.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { openSharedStores } from '../../bin/runtime/shared-stores.ts'
import type { HoldshortError } from '../../config/errors.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { seededRandom } from '../../forecasting/statistics/statistics.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { takeTurn } from '../../warehouse/coordination/turns.ts'
import { publishFiles } from '../../warehouse/sharing/published-files.ts'
import { recordTableFiles } from '../../warehouse/sharing/table-files.ts'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { DrawnFaults, ROUNDS, seedsOf } from '../faults/harms.ts'
import { readAll } from '../warehouse/storage/read-all.ts'
import { reading } from '../warehouse/test-rows.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from './installation.ts'
import { BUCKET } from './s3-server.ts'

const BATCH_ROWS = 20
const OURS = 'drawn'
const FOREIGN = 'foreign'

/** What a harm returns that most readers cannot see: Parquet of this engine has no checksums. */
const UNSEEN_BY_READERS = 'unseen by readers'

/** Rows of each batch, by the name of the batch. */
type Batches = Record<string, number>

/** The catalog and the files of the tables of one moment, as a backup has them. */
interface Backup {
  /** The name of a database. */
  catalog: string
  /** The path of a folder. */
  files: string
  batches: Batches
}

describe.skipIf(PARTS_MISSING !== null)(`stale and foreign files of several machines ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  let earlier: Backup
  let present: Backup

  const open = (settings: Settings) =>
    openWarehouse(settings.data_dir, { place: ducklakePlace(settings, catalogUrl(settings), 'test') })
  /** Settings of a new machine. */
  const machine = (changed: Record<string, string> = {}) =>
    readSettings({ ...stores.environment(stores.folder(), OURS), ...changed })
  const tablesOf = (prefix: string) => join(stores.s3Folder, BUCKET, prefix, 'warehouse')

  /** Lands batches, then reads the rows of each batch; returns the code of the refusal where they cannot be read. */
  async function landAndRead(settings: Settings, ...names: string[]): Promise<Batches | string> {
    await using warehouse = await open(settings)
    for (const name of names)
      await warehouse.land(
        readings,
        // Files of different batches have different sizes.
        Array.from({ length: BATCH_ROWS }, (_, row) => reading({ checkpoint: name, terminal: `${name} ${row ** 3}` })),
      )
    return warehouse
      .query<{ batch: string; n: number }>(
        'SELECT checkpoint AS batch, count(*)::INTEGER AS n FROM readings GROUP BY ALL ORDER BY ALL',
      )
      .then(
        (rows) => Object.fromEntries(rows.map(({ batch, n }) => [batch, n])),
        (error: HoldshortError) => error.code ?? error.message,
      )
  }

  /** Reads all rows as `holdshort query` does; returns the code of the refusal. */
  async function readAsAnalyst(settings: Settings): Promise<string | undefined> {
    const place = ducklakePlace(settings, catalogUrl(settings), 'test')
    const code = ({ code }: HoldshortError) => code
    const session = await openAnalystSession(settings.data_dir, { place }).catch(code)
    if (typeof session === 'string') return session
    try {
      return await readAll(session, 'SELECT max(wait_minutes), max(terminal) FROM readings').then(() => undefined, code)
    } finally {
      await session.close()
    }
  }

  async function backUp(name: string, batches: Batches | string): Promise<Backup> {
    await stores.postgresql.run('postgres', `CREATE DATABASE ${name} TEMPLATE warehouse_${OURS}`)
    const files = join(stores.s3Folder, '..', name)
    cpSync(tablesOf(OURS), files, { recursive: true })
    return { catalog: name, files, batches: batches as Batches }
  }

  function putFilesBack(files: string): void {
    rmSync(tablesOf(OURS), { recursive: true, force: true })
    cpSync(files, tablesOf(OURS), { recursive: true })
  }
  async function putCatalogBack(catalog: string): Promise<void> {
    const database = `warehouse_${OURS}`
    await stores.postgresql.run(
      'postgres',
      `DROP DATABASE ${database} WITH (FORCE)`,
      `CREATE DATABASE ${database} TEMPLATE ${catalog}`,
    )
  }

  beforeAll(async () => {
    stores = await startSharedStores()
    for (const prefix of [OURS, FOREIGN]) {
      const settings = stores.settings(stores.folder(), prefix)
      await createPlace(settings)
      await open(settings).then(async (warehouse) => {
        await warehouse.write(async () => undefined)
        await warehouse.close()
      })
    }
    earlier = await backUp('earlier', await landAndRead(machine(), 'a', 'bb', 'ccc'))
    present = await backUp('present', await landAndRead(machine(), 'dddd', 'eeeee'))
    await landAndRead(stores.settings(stores.folder(), FOREIGN), 'of another installation')
    await record(OURS)
    present = await backUp('recorded', present.batches)
  }, 120_000)
  afterAll(() => stores?.remove())

  /** Records the digests of the files of the tables, as each upkeep of a leader does; returns the paths of damaged ones. */
  async function record(prefix: string): Promise<string[]> {
    const settings = stores.settings(stores.folder(), prefix)
    await using warehouse = await open(settings)
    await using shared = await openSharedStores(settings)
    return await recordTableFiles(warehouse, shared)
  }

  /** A drawn file of the readings in the bucket, and another one. */
  function drawFiles(random: () => number): [string, string] {
    const all = readdirSync(tablesOf(OURS), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.includes('readings') && path.endsWith('.parquet'))
      .sort()
      .map((path) => join(tablesOf(OURS), path))
    const drawn = Math.floor(random() * all.length)
    const others = all.filter((path) => statSync(path).size !== statSync(all[drawn]!).size)
    return [all[drawn]!, others[Math.floor(random() * others.length)]!]
  }

  interface Kind {
    /** What the doctor says; null where what is there is whole, of whatever time. */
    says: RegExp | null
    /** Does the harm; returns other settings, where these are the fault. */
    harm: (random: () => number) => unknown
  }
  const DAMAGED = /STORE_DAMAGED.*restore them/
  const KINDS: Record<string, Kind> = {
    'a file of the tables that is gone': { says: DAMAGED, harm: (random) => rmSync(drawFiles(random)[0]) },
    'a file of the tables that is cut': {
      says: DAMAGED,
      harm: (random) => {
        const [file] = drawFiles(random)
        truncateSync(file, Math.floor(random() * statSync(file).size))
      },
    },
    'another file in the place of one of the tables': {
      says: DAMAGED,
      harm: (random) => {
        const [file, other] = drawFiles(random)
        copyFileSync(other, file)
      },
    },
    'a file of the tables with the same size and one bit changed': {
      says: DAMAGED,
      harm: async (random) => {
        const [file] = drawFiles(random)
        const key = relative(join(stores.s3Folder, BUCKET, OURS), file)
        await using shared = await openSharedStores(machine())
        const bytes = (await shared.store.get(key))!
        const index = Math.floor(random() * bytes.length)
        await shared.store.put(key, bytes.with(index, bytes[index]! ^ 16))
        return UNSEEN_BY_READERS
      },
    },
    'the bucket of an earlier time': { says: DAMAGED, harm: () => putFilesBack(earlier.files) },
    'the bucket of another installation': { says: DAMAGED, harm: () => putFilesBack(tablesOf(FOREIGN)) },
    'an empty bucket': {
      says: DAMAGED,
      harm: () => {
        rmSync(tablesOf(OURS), { recursive: true })
        mkdirSync(tablesOf(OURS))
      },
    },
    'the catalog of another installation': {
      says: /the catalog database is that of another bucket or prefix: correct/,
      harm: () => machine({ HOLDSHORT_CATALOG_URL: stores.postgresql.url(`warehouse_${FOREIGN}`) }),
    },
    'the prefix of another installation': {
      says: /the catalog database is that of another bucket or prefix: correct/,
      harm: () => machine({ HOLDSHORT_STORE: `s3://${BUCKET}/${FOREIGN}` }),
    },
    'the catalog of an earlier time': { says: null, harm: () => putCatalogBack(earlier.catalog) },
    'the catalog and the bucket of an earlier time': {
      says: null,
      harm: async () => {
        await putCatalogBack(earlier.catalog)
        putFilesBack(earlier.files)
      },
    },
  }

  /** Does one fault, lands through it where it is not refused, follows the way out and compares all rows; returns whether it was refused. */
  async function tryFault(kind: string, seed: number): Promise<boolean> {
    const { says: expected, harm } = KINDS[kind]!
    await putCatalogBack(present.catalog)
    putFilesBack(present.files)
    const harmed = await harm(seededRandom(seed))
    const isUnseen = harmed === UNSEEN_BY_READERS
    const settings = harmed === undefined || isUnseen ? machine() : (harmed as Settings)
    const { level, says } = await runCheck('store', () => checkStore(settings))
    const landed = `landed ${seed}`
    if (expected === null) {
      expect(level).toBe('warning')
      expect(await landAndRead(settings, landed)).toEqual({ ...earlier.batches, [landed]: BATCH_ROWS })
      await putCatalogBack(present.catalog)
    } else {
      expect([level, says]).toEqual(['wrong', expect.stringMatching(expected)])
      const code = says.startsWith('STORE_DAMAGED') ? 'STORE_DAMAGED' : 'STORE_REFUSED'
      if (!isUnseen) {
        expect(await landAndRead(settings)).toBe(code)
        expect(await readAsAnalyst(settings)).toBe(code)
      }
    }
    // The way out: the files and the catalog of one moment, with the settings that belong to them.
    putFilesBack(present.files)
    expect(await runCheck('store', () => checkStore(machine()))).toMatchObject({ level: 'warning' })
    expect(await landAndRead(machine(), landed)).toEqual({ ...present.batches, [landed]: BATCH_ROWS })
    return expected !== null
  }

  test('doctor names the published files that the bucket lost, and the next publication brings them back', async () => {
    await using shared = await openSharedStores(machine())
    const turn = await takeTurn(shared.url, 'lead', { purpose: 'test', wait_ms: 1_000 })
    const publish = (id: string) =>
      publishFiles(shared, 'snapshot', turn!.epoch, {
        id,
        files: [{ path: 'waits.bin', read: async () => Buffer.from('waits') }],
        is_compressed: true,
      })
    await publish('one')
    const objects = join(stores.s3Folder, BUCKET, OURS, 'objects')
    const check = () => runCheck('store', () => checkStore(machine()))
    expect(await check()).toMatchObject({ level: 'ok', says: expect.stringContaining('1 published file, all there') })
    rmSync(objects, { recursive: true })
    expect(await check()).toMatchObject({
      level: 'wrong',
      says: expect.stringMatching(
        /^STORE_DAMAGED: 1 of 1 published file.*\(snapshot: waits\.bin\); the pipeline that leads/,
      ),
    })
    await publish('two')
    expect(await check()).toMatchObject({ level: 'ok' })
    await turn!.release()
  })

  test('a file of the tables that was copied back is whole, one that was altered is found by the next upkeep', async () => {
    putFilesBack(present.files)
    expect(await record(OURS)).toEqual([])
    await using shared = await openSharedStores(machine())
    const [file] = (await shared.store.list('warehouse/')).filter(({ key }) => key.includes('readings'))
    const bytes = (await shared.store.get(file!.key))!
    await shared.store.put(file!.key, bytes.with(40, bytes[40]! ^ 1))
    expect(await record(OURS)).toEqual([file!.key])
    await shared.store.put(file!.key, bytes)
    expect(await record(OURS)).toEqual([])
  })

  test('a bucket that refuses the engine is not called unreachable', async () => {
    putFilesBack(present.files)
    expect(await landAndRead(machine({ AWS_SECRET_ACCESS_KEY: 'wrong' }))).toBe('STORE_REFUSED')
    expect(await landAndRead(machine())).toEqual(present.batches)
  })

  test(
    'are refused by doctor and readers, and the way out brings every row back once',
    async () => {
      const kinds = Object.keys(KINDS)
      const faults = new DrawnFaults()
      for (const seed of seedsOf(10 * ROUNDS)) {
        const kind = kinds[seed % kinds.length]!
        const isRefused = await tryFault(kind, seed).catch((error: Error) => {
          throw new Error(`seed ${seed}, ${kind}: ${error.message}`, { cause: error })
        })
        faults.count(kind, isRefused)
      }
      faults.print('catalog and bucket')
    },
    240_000 * ROUNDS,
  )
})
