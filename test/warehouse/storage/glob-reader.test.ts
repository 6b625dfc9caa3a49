import { AsyncLocalStorage } from 'node:async_hooks'
import promises from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { compactTables, sweepReplaced } from '../../../warehouse/storage/compact.ts'
import { connect, openDuckdb } from '../../../warehouse/storage/duckdb.ts'
import { makeFolder } from '../../../warehouse/storage/files.ts'
import { listPartitions, livePaths } from '../../../warehouse/storage/layout.ts'
import { replaceCaptures } from '../../../warehouse/storage/replace-captures.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { landRows, type WriteContext } from '../../../warehouse/storage/write.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { beforeFileCalls } from '../../before-file-calls.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

/** Somebody who reads all Parquet files of a table before every change that a writer makes on the file system. */
const PATCHED = ['mkdir', 'rename', 'rm', 'open', 'writeFile', 'link'] as const
const watched = new AsyncLocalStorage<() => Promise<void>>()

beforeFileCalls(PATCHED, async () => {
  const look = watched.getStore()
  if (look) await watched.exit(look)
})

const at = (minute: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000).toISOString()
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, k) => reading({ observed_at: at(first + k), capture_id: `c${first + k}` }))

/** Rows of days that are old enough to be merged into the file of their month. */
const oldRows = (seed: number) =>
  [12, 13, 14, 15].map((day) =>
    reading({
      observed_at: at(seed).replace('-20T', `-${day}T`),
      capture_id: `old${day}-${seed}`,
    }),
  )

const STEPS = {
  landOld: (context: WriteContext, seed: number) => landRows(context, readings, oldRows(seed)),
  replayOld: (context: WriteContext, seed: number) =>
    replaceCaptures(context, readings, [`old13-${seed}`], oldRows(seed).slice(1, 2)),
  land: (context: WriteContext, seed: number) => landRows(context, readings, rowsFrom(seed * 3, 3)),
  replay: (context: WriteContext, seed: number) => replaceCaptures(context, readings, [`c${seed}`], rowsFrom(seed, 1)),
  compact: (context: WriteContext) => compactTables(context),
  rollUp: (context: WriteContext) => rollUp(context),
  sweep: (context: WriteContext, seed: number) => sweepReplaced(context, Date.now() + seed * 100_000),
}
type Step = keyof typeof STEPS

/** The names that a glob gives, and those that the views are made of. */
async function filesOf(folder: string) {
  const below = await Promise.all(
    ['readings', 'rollups'].map(async (table) => {
      const names = await promises.readdir(join(folder, 'warehouse', table), { recursive: true }).catch(() => [])
      return names.map((name) => join(table, name))
    }),
  )
  const globbed = below
    .flat()
    .filter((name) => name.endsWith('.parquet'))
    .sort()
  const partitions = await Promise.all(
    [readings, rollups].map((table) => listPartitions(join(folder, 'warehouse'), table)),
  )
  const viewed = livePaths(partitions.flat()).map((path) => path.slice(join(folder, 'warehouse').length + 1))
  return { globbed, viewed: viewed.sort() }
}

test('a reader of all Parquet files reads at every step what the views read', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...(Object.keys(STEPS) as Step[])), fc.nat(12)), {
    minLength: 4,
    maxLength: 12,
  })
  // The steps need an engine and a folder, not the views of an open warehouse, which take longer than the steps.
  const scratchDir = await temporaryFolder()
  const duckdb = await openDuckdb(scratchDir)
  const connection = await connect(duckdb)
  onTestFinished(() => {
    connection.closeSync()
    duckdb.closeSync()
  })
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const folder = await promises.mkdtemp(join(scratchDir, 'glob-'))
      const warehouseDir = await makeFolder(folder, 'warehouse')
      const context: WriteContext = { connection, warehouseDir, scratchDir }
      const looks = { count: 0 }
      try {
        const look = async () => {
          looks.count += 1
          const { globbed, viewed } = await filesOf(folder)
          expect(globbed).toEqual(viewed)
        }
        await watched.run(look, async () => {
          for (const [step, seed] of [['landOld', 1], ['land', 1], ...sequence] as [Step, number][])
            await STEPS[step](context, seed)
        })
        await look()
        expect(looks.count).toBeGreaterThan(10)
      } finally {
        await promises.rm(folder, { recursive: true, force: true })
      }
    }),
    { numRuns: repetitions(1, 40), endOnFailure: true },
  )
}, 300_000)

test('another engine counts by a glob what the view counts, while the warehouse is written', async () => {
  const folder = await temporaryFolder()
  const warehouse = await openWarehouse(folder)
  const reader = await (await DuckDBInstance.create(':memory:')).connect()
  for (let batch = 0; batch < 6; batch += 1) {
    await warehouse.land(readings, rowsFrom(batch * 5, 8))
    if (batch % 2 === 1) await warehouse.maintain((context) => rollUp(context))
    for (const table of ['readings', ...(batch > 0 ? ['rollups'] : [])]) {
      const [seen] = (
        await reader.runAndReadAll(
          `SELECT count(*)::INTEGER FROM read_parquet('${folder}/warehouse/${table}/**/*.parquet')`,
        )
      ).getRows()
      const [view] = await warehouse.query<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)
      expect(seen?.[0], table).toBe(view?.n)
    }
  }
  await warehouse.close()
})

test.runIf(EXHAUSTIVE)(
  'what a crash left beside the file that replaced it is out of the way when the warehouse is opened',
  async () => {
    const folder = await temporaryFolder()
    const warehouse = await openWarehouse(folder)
    await warehouse.land(readings, rowsFrom(0, 3))
    await warehouse.land(readings, rowsFrom(3, 3))
    await warehouse.maintain((context) => compactTables(context))
    await warehouse.close()
    const day = join(folder, 'warehouse', 'readings', 'kind=security', 'month=2026-11')
    for (const name of await promises.readdir(day))
      if (name.endsWith('.replaced'))
        await promises.rename(join(day, name), join(day, name.replace('replaced', 'parquet')))
    expect((await promises.readdir(day)).filter((name) => name.endsWith('.parquet'))).toHaveLength(3)
    await (await openWarehouse(folder)).close()
    expect((await promises.readdir(day)).filter((name) => name.endsWith('.parquet'))).toHaveLength(1)
  },
)

test.runIf(EXHAUSTIVE)(
  'a view of another process that lists replaced files goes on, and an analyst reads one moment to the end',
  async () => {
    const folder = await temporaryFolder()
    const [writer, other, analyst] = [
      await openWarehouse(folder),
      await openWarehouse(folder),
      await openWarehouse(folder),
    ]
    await writer.land(readings, rowsFrom(0, 3))
    await writer.land(readings, rowsFrom(3, 3))
    await other.refresh()
    await analyst.openToAnalysts()
    const [partition] = await listPartitions(writer.context.warehouseDir, readings)
    const listed = livePaths([partition!]).map((path) => `'${path}'`)
    await writer.maintain((context) => compactTables(context))
    await writer.land(readings, rowsFrom(6, 1))
    expect(await other.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 7 }])
    expect(await other.query(`SELECT count(*) AS n FROM read_parquet([${listed}])`)).toEqual([{ n: 6 }])
    await writer.maintain((context) => sweepReplaced(context, Date.now() + 3_600_000))
    expect(await analyst.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 6 }])
    for (const warehouse of [writer, other, analyst]) await warehouse.close()
  },
)
