import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Settings } from '../../../config/settings.ts'
import { catalogUrl } from '../../../warehouse/coordination/catalog-database.ts'
import { takeTurn, turnHolder } from '../../../warehouse/coordination/turns.ts'
import type { CatalogPlace } from '../../../warehouse/storage/catalog.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { notices } from '../../../warehouse/tables/notices.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from '../../shared-store/installation.ts'

describe.skipIf(PARTS_MISSING !== null)(`turns of several machines ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  let settings: Settings
  let url: string
  const opened: Warehouse[] = []
  beforeAll(async () => {
    stores = await startSharedStores()
    settings = stores.settings(stores.folder(), 'turns')
    url = catalogUrl(settings)
    await openMachine('first')
  })
  afterAll(async () => {
    for (const warehouse of opened) await warehouse.close().catch(() => undefined)
    await stores?.remove()
  })

  /** Opens the warehouse as another process would: with an attachment of its own. */
  async function openMachine(name: string): Promise<Warehouse> {
    const place: CatalogPlace = Object.assign(await createPlace(settings), { key: `${name} ${url}` })
    const warehouse = await openWarehouse(stores.folder(), { place })
    opened.push(warehouse)
    return warehouse
  }
  const row = (text: string) =>
    `SELECT ${Object.entries(notices.columns)
      .map(([column, { type }]) => {
        if (type === 'TIMESTAMPTZ') return `TIMESTAMPTZ '2026-11-20 10:00:00Z' AS ${column}`
        return type === 'VARCHAR' ? `'${text}' AS ${column}` : `NULL::${type} AS ${column}`
      })
      .join(', ')}`
  const count = async (warehouse: Warehouse, text: string) =>
    (await warehouse.query<{ n: number }>(`SELECT count(*) AS n FROM notices WHERE source = '${text}'`))[0]!.n
  const endTurn = () =>
    stores.postgresql.run(
      'warehouse_turns',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdshort write'",
    )

  test('a holder gives the turn to write to a process that waits for it', async () => {
    const [first, other] = [await openMachine('one'), await openMachine('other')]
    expect(await first.landSelect(notices, row('a'))).toBe(1)
    expect((await turnHolder(url, 'write'))?.holder).toContain(`process ${process.pid}`)
    expect(await other.landSelect(notices, row('a'))).toBe(0)
    expect(await first.landSelect(notices, row('b'))).toBe(1)
    expect(await count(other, 'b')).toBe(1)
  })

  test('refuses the commit of a process whose turn another one has taken', async () => {
    const [frozen, next] = [await openMachine('frozen'), await openMachine('next')]
    const written = frozen.write(async ({ connection }) => {
      await connection.run(`INSERT INTO notices (source, date) VALUES ('frozen', DATE '2026-11-20')`)
      await endTurn()
      expect(await next.landSelect(notices, row('next'))).toBe(1)
    })
    await expect(written).rejects.toMatchObject({ code: 'WRITE_FENCED' })
    expect(await count(next, 'frozen')).toBe(0)
    // The process writes again as soon as it is its turn again.
    expect(await frozen.landSelect(notices, row('awake'))).toBe(1)
    expect(await count(next, 'awake')).toBe(1)
  })

  test('refuses the commit of a connection without a turn', async () => {
    await expect(
      stores.postgresql.run('warehouse_turns', 'INSERT INTO ducklake_snapshot SELECT * FROM ducklake_snapshot LIMIT 1'),
    ).rejects.toThrow('another process has the turn to write')
  })

  test('neither what is attached nor an error shows the password of the catalog database', async () => {
    const secret = { ...settings, catalog_url: url.replace('holdshort@', 'holdshort:pass%27word@') }
    const place = Object.assign(await createPlace(secret), { key: 'secret' })
    const warehouse = await openWarehouse(stores.folder(), { place })
    opened.push(warehouse)
    const shown = await warehouse.query(
      'SELECT path AS text FROM duckdb_databases() UNION ALL SELECT secret_string FROM duckdb_secrets()',
    )
    expect(JSON.stringify(shown)).toContain('redacted')
    expect(JSON.stringify(shown)).not.toMatch(/pass.{1,3}word@|pass'word|only-for-tests/)
    const nowhere = {
      ...secret,
      catalog_url: url.replace('holdshort@', 'holdshort:pass%27word@').replace(/[^/]+$/, 'nowhere'),
    }
    const { ducklakePlace } = await import('../../../warehouse/storage/ducklake-place.ts')
    const missing = await openWarehouse(stores.folder(), { place: ducklakePlace(nowhere, catalogUrl(nowhere)) })
    opened.push(missing)
    const error = await missing.query('SELECT 1').catch((cause: Error) => cause)
    expect(error).toMatchObject({ code: 'STORE_REFUSED', message: expect.stringContaining('holdshort store create') })
    expect(String(error)).not.toContain("pass'word")
  })

  test('the lead passes to the next pipeline when its holder releases it or is cut off', async () => {
    const first = await takeTurn(url, 'lead', { purpose: 'first', wait_ms: 500 })
    expect(await takeTurn(url, 'lead', { purpose: 'second', wait_ms: 200 })).toBeNull()
    const waiting = takeTurn(url, 'lead', { purpose: 'second', wait_ms: 5_000 })
    await sleep(100)
    await first!.release()
    const second = await waiting
    expect(second!.epoch).toBe(first!.epoch + 1)
    await stores.postgresql.run(
      'warehouse_turns',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdshort lead'",
    )
    const third = await takeTurn(url, 'lead', { purpose: 'third', wait_ms: 5_000 })
    expect(third!.epoch).toBe(second!.epoch + 1)
    await sleep(200)
    expect(second!.lost.aborted).toBe(true)
    await third!.release()
    expect(await turnHolder(url, 'lead')).toBeNull()
  })
})
