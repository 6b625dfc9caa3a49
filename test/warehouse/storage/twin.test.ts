import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'
import { openDuckdb, readRows, withConnection } from '../../../warehouse/storage/duckdb.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { deleteUntil, replaceDays } from '../../../warehouse/storage/write.ts'
import { dateSql, type Table } from '../../../warehouse/tables/define.ts'
import { forecasts } from '../../../warehouse/tables/forecasts.ts'
import { notices } from '../../../warehouse/tables/notices.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from '../../shared-store/installation.ts'

const TABLES: readonly Table[] = [readings, rollups, forecasts, notices]
/** Thousands take an hour: set `TWIN_STEPS` for them. */
const STEPS = Number(process.env['TWIN_STEPS'] ?? 600)
const COMPARED_EVERY = 500
const SEEDS = [1, 2]
const FIRST_DAY = Date.parse('2026-08-20T00:00:00Z')
const DAYS = 80

/** A generator of whole numbers below a limit, the same for the same seed. */
function randomNumbers(seed: number): (below: number) => number {
  const random = seededRandom(seed)
  return (below) => Math.floor(random() * below)
}

const dayText = (index: number) => new Date(FIRST_DAY + index * 86_400_000).toISOString().slice(0, 10)

/** SELECT of rows whose values depend on a seed and the number of the row alone. The age of each lies within one of some days. */
function randomRows(table: Table, seed: number, count: number, firstDay: number, days: number): string {
  const columns = Object.entries(table.columns).map(([name, { type }], index) => {
    const random = `(hash(i, ${index}, ${seed}) % 1000000)::BIGINT`
    const values: Record<string, string> = {
      VARCHAR: name === 'kind' ? `['security', 'immigration'][1 + ${random} % 2]` : `'v' || (${random} % 6)`,
      'VARCHAR[]': `['f' || (${random} % 3)]`,
      BOOLEAN: `${random} % 2 = 0`,
      INTEGER: `(${random} % 50)::INTEGER`,
      BIGINT: `${random} % 50`,
      DOUBLE: `(${random} % 500) / 4.0`,
      DATE: `DATE ${`'${dayText(firstDay)}'`}`,
      TIMESTAMPTZ: `TIMESTAMPTZ '${dayText(firstDay)} 00:00:00Z' + to_seconds((${random} * 311) % ${days * 86_400})`,
    }
    const isNull =
      name !== table.age && name !== 'kind' && !table.key.includes(name)
        ? `CASE WHEN ${random} % 7 = 0 THEN NULL ELSE ${values[type]} END`
        : values[type]
    return `${isNull} AS "${name}"`
  })
  return `SELECT ${columns.join(', ')} FROM range(${count}) t(i)`
}

/** One change, the same for every warehouse. */
function randomStep(random: (below: number) => number): (warehouse: Warehouse) => Promise<unknown> {
  const table = TABLES[random(TABLES.length)]!
  const what = random(100)
  const day = random(DAYS)
  const seed = random(40)
  const count = 1 + random(60)
  const deletedUntil = dayText(random(3))
  if (what < 55) return (warehouse) => warehouse.landSelect(table, randomRows(table, seed, count, day, 1 + (seed % 3)))
  if (what < 90) {
    const kinds = table.by_kind ? ['security', 'immigration'] : ['']
    const days = kinds.map((kind) => ({ kind, date: dayText(day), made_from: `step ${seed}` }))
    const select = `SELECT DISTINCT ON (${table.key.join(', ')}) * FROM (${randomRows(table, seed, count, day, 1)}) WHERE ${dateSql(table)} = DATE '${dayText(day)}' ORDER BY ALL`
    return (warehouse) => warehouse.write((context) => replaceDays(context, table, days, select))
  }
  if (what < 94) return (warehouse) => warehouse.write((context) => deleteUntil(context, table, deletedUntil))
  return (warehouse) => warehouse.checkpoint()
}

describe.skipIf(PARTS_MISSING !== null)(`a native file and DuckLake ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  let root: string
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'holdshort-twin-'))
    stores = await startSharedStores()
  })
  afterAll(async () => {
    await stores?.remove()
    rmSync(root, { recursive: true, force: true })
  })

  /** The rows that one of two warehouses has more often than the other. */
  async function differences(file: Warehouse, lake: Warehouse, table: string): Promise<number> {
    const [first, other] = [join(root, 'one.parquet'), join(root, 'other.parquet')]
    await file.spool(`SELECT * FROM ${table}`, first)
    await lake.spool(`SELECT * FROM ${table}`, other)
    const engine = await openDuckdb(root)
    try {
      return await withConnection(engine, async (connection) => {
        const [row] = await readRows<{ n: number }>(
          connection,
          `SELECT count(*) AS n FROM ((FROM '${first}' EXCEPT ALL FROM '${other}') UNION ALL (FROM '${other}' EXCEPT ALL FROM '${first}'))`,
        )
        return row!.n
      })
    } finally {
      engine.closeSync()
    }
  }

  test.each(SEEDS)(
    'have the same rows after the same changes, seed %i',
    async (seed) => {
      const settings = stores.settings(stores.folder(), `twin${seed}`)
      const file = await openWarehouse(stores.folder())
      const lake = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
      // House-keeping then deletes old versions and their files at once.
      for (const option of ['expire_older_than', 'delete_older_than'])
        await lake.write(
          async ({ connection }) => void (await connection.run(`CALL warehouse.set_option('${option}', '0 seconds')`)),
        )
      const random = randomNumbers(seed)
      let rows = 0
      for (let step = 1; step <= STEPS; step += 1) {
        const change = randomStep(random)
        const [first, other] = await Promise.all([change(file), change(lake)])
        expect(other).toEqual(first)
        if (step % COMPARED_EVERY > 0 && step < STEPS) continue
        for (const table of [...TABLES.map(({ name }) => name), 'changes'])
          expect([table, await differences(file, lake, table)]).toEqual([table, 0])
        const [count] = await lake.query<{ n: number }>('SELECT count(*) AS n FROM readings')
        rows = count!.n
      }
      expect(rows).toBeGreaterThan(0)
      await Promise.all([file.close(), lake.close()])
    },
    Math.max(240_000, STEPS * 3_000),
  )
})
