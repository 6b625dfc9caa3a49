import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'
import { createPlace, DUCKDB_FOLDER, PARTS_MISSING, type SharedStores, startSharedStores } from './installation.ts'
import { CREDENTIALS } from './s3-server.ts'

const run = promisify(execFile)
const hasPython = existsSync(join(DUCKDB_FOLDER, 'duckdb'))
const MISSING = PARTS_MISSING ?? (hasPython ? null : 'not installed: DuckDB for Python')

/** The blocks of code of one language in the manual. */
const blocks = (language: string) =>
  [
    ...readFileSync(projectFile('docs', 'use', 'sql.md'), 'utf8').matchAll(
      new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'),
    ),
  ].map(([, text]) => text ?? '')

describe.skipIf(MISSING !== null)(`the manual for analysts ${MISSING ?? ''}`, () => {
  let stores: SharedStores
  beforeAll(async () => {
    stores = await startSharedStores()
  })
  afterAll(() => stores?.remove())

  test('its statements let DuckDB in Python read, and nothing else', async () => {
    const settings = stores.settings(stores.folder(), 'analyst')
    const warehouse = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
    await warehouse.land(readings, [reading({ observed_at: '2026-11-20T10:00:00Z' })])
    const [role = '', rights = ''] = blocks('sql')
    const statements = `${role}${rights}`.split(';\n').filter((text) => text.trim() !== '')
    await stores.postgresql.run('warehouse_analyst', ...statements)
    const { port } = new URL(stores.postgresql.url('any'))
    const [python = ''] = blocks('python')
    const script = python
      .replace(/INSTALL (\w+)/g, (_, name: string) => `LOAD '${extensionOf(name)}'`)
      .replace(
        "KEY_ID 'key', SECRET 'secret'",
        `KEY_ID '${CREDENTIALS.AWS_ACCESS_KEY_ID}', SECRET '${CREDENTIALS.AWS_SECRET_ACCESS_KEY}'`,
      )
      .replace("ENDPOINT 's3.example'", `ENDPOINT '${new URL(stores.s3.url).host}', USE_SSL false`)
      .replace('host=db.example dbname=holdshort_warehouse', `host=127.0.0.1 port=${port} dbname=warehouse_analyst`)
    const inPython = (text: string) =>
      run('python3', ['-c', text], { env: { PATH: process.env['PATH'], PYTHONPATH: DUCKDB_FOLDER } })
    expect((await inPython(script)).stdout).toContain("('SEA', 1)")
    for (const statement of [
      'DELETE FROM warehouse.readings',
      "CALL postgres_execute('__ducklake_metadata_warehouse', 'DELETE FROM ducklake_snapshot')",
    ])
      await expect(inPython(`${script}\nconnection.execute("${statement}")`)).rejects.toThrow(
        /read-only|permission denied/,
      )
    const writable = script.replace(' (READ_ONLY)', '')
    await expect(inPython(`${writable}\nconnection.execute("DELETE FROM warehouse.readings")`)).rejects.toThrow(
      'permission denied',
    )
    expect(await warehouse.query('SELECT count(*) AS n FROM readings')).toEqual([{ n: 1 }])
    await warehouse.close()
  })
})

function extensionOf(name: string): string {
  const file = name === 'postgres' ? 'postgres_scanner' : name
  return join(DUCKDB_FOLDER, `duckdb_extension_${file}`, 'extensions', 'v1.5.5', `${file}.duckdb_extension`)
}
