import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openState } from '../../../api/state/open.ts'
import { projectFile } from '../../../config/paths.ts'
import { readSettings } from '../../../config/settings.ts'
import { createCatalogDatabase } from '../../../warehouse/coordination/catalog-database.ts'
import { takeTurn } from '../../../warehouse/coordination/turns.ts'
import { postgresqlPrograms, startCluster } from '../../api/state/cluster.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** The statements of a page of the manual, by block. The administrator of the test has the name of the role of the manual. */
const blocks = (page: string) =>
  [...readFileSync(projectFile('docs', page), 'utf8').matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text = '']) =>
    text
      .replace(/\bholdshort(?=_warehouse\b|\b)/g, 'waits')
      .split(';\n')
      .filter((statement) => statement.trim() !== ''),
  )

const hasServer = postgresqlPrograms() !== null
let cluster: Awaited<ReturnType<typeof startCluster>>
beforeAll(async () => {
  if (hasServer) cluster = await startCluster()
})
afterAll(() => cluster?.remove())

const urlAs = (role: string, database: string) =>
  Object.assign(new URL(cluster.url(database)), { username: role, password: 'x' }).href

async function runAs(role: string, database: string, statements: readonly string[]) {
  const client = new pg.Client({ connectionString: urlAs(role, database) })
  await client.connect()
  try {
    let rows: unknown[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

test.runIf(hasServer)(
  'every statement of the manual works on an empty PostgreSQL, in its order and as its role',
  async () => {
    const [databases = []] = blocks('operate/several-machines.md')
    expect(databases).toHaveLength(3)
    await runAs('holdshort', 'postgres', databases)

    // The service makes what it needs with the rights that the manual gives.
    const data_dir = await temporaryFolder()
    const DATABASE_URL = urlAs('waits', 'waits')
    const pepper = 'a pepper of enough characters'
    const settings = readSettings({ HOLDSHORT_DATA_DIR: data_dir, DATABASE_URL, HOLDSHORT_KEY_PEPPER: pepper })
    await (await openState(settings)).close()
    const catalog = urlAs('waits', 'waits_warehouse')
    await createCatalogDatabase(catalog)
    await runAs('waits', 'waits_warehouse', ['CREATE TABLE ducklake_snapshot (id bigint)'])
    await using write = await takeTurn(catalog, 'write', { purpose: 'test', wait_ms: 2_000 })
    expect(write?.epoch).toBe(1)

    const [role = [], rights = [], revoke = []] = blocks('use/sql.md')
    await expect(runAs('waits', 'waits_warehouse', role)).rejects.toThrow('permission denied to create role')
    await runAs('holdshort', 'postgres', role)
    await runAs('waits', 'waits_warehouse', rights)
    await runAs('waits', 'waits', revoke)
    await runAs('waits', 'waits_warehouse', ['CREATE TABLE ducklake_later (id bigint)'])

    for (const table of ['ducklake_snapshot', 'ducklake_later']) {
      expect(await runAs('analyst', 'waits_warehouse', [`SELECT * FROM ${table}`])).toEqual([])
      await expect(runAs('analyst', 'waits_warehouse', [`INSERT INTO ${table} VALUES (1)`])).rejects.toThrow(
        'permission denied',
      )
    }
    await expect(runAs('analyst', 'waits_warehouse', ['SELECT * FROM holdshort.turns'])).rejects.toThrow(
      'permission denied',
    )
    await expect(runAs('analyst', 'waits', ['SELECT 1'])).rejects.toThrow('permission denied for database')
    await (await openState(settings)).close()
  },
)

test.runIf(hasServer)(
  'who waits for the lead leaves no error in the log of PostgreSQL, and has it at once when it is free',
  async () => {
    await cluster.run('postgres', 'CREATE DATABASE lead_test')
    const url = cluster.url('lead_test')
    await createCatalogDatabase(url)
    const errors = async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query("SELECT xact_rollback FROM pg_stat_database WHERE datname = 'lead_test'")
      await client.end()
      return Number(rows[0].xact_rollback)
    }
    const first = await takeTurn(url, 'lead', { purpose: 'test', wait_ms: 1_000 })
    const before = await errors()
    expect(await takeTurn(url, 'lead', { purpose: 'test', wait_ms: 1_000 })).toBe(null)
    const waiting = takeTurn(url, 'lead', { purpose: 'test', wait_ms: 10_000 })
    await new Promise((resolve) => setTimeout(resolve, 500))
    const released = performance.now()
    await first?.release()
    const second = await waiting
    expect(performance.now() - released).toBeLessThan(1_500)
    expect(second!.epoch).toBe(first!.epoch + 1)
    await second?.release()
    // Statistics reach the table with the end of a connection.
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await errors()).toBe(before)
  },
)
