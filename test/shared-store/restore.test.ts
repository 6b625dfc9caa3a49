import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkStore } from '../../bin/doctor/check-store.ts'
import { runCheck } from '../../bin/doctor/finding.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { postgresqlPrograms } from '../api/state/cluster.ts'
import { reading } from '../warehouse/test-rows.ts'
import { createPlace, PARTS_MISSING, startSharedStores } from './installation.ts'

test.skipIf(PARTS_MISSING !== null)(
  `a dump of PostgreSQL and a later copy of the bucket are a whole backup ${PARTS_MISSING ?? ''}`,
  { timeout: 120_000 },
  async () => {
    const [stores, empty] = [await startSharedStores(), await startSharedStores()]
    onTestFinished(async () => {
      await stores.remove()
      await empty.remove()
    })
    const settings = stores.settings(stores.folder(), 'backup')
    const warehouse = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
    for (let batch = 0; batch < 3; batch += 1)
      await warehouse.land(readings, [reading({ checkpoint: `before ${batch}` })])
    const programs = postgresqlPrograms() ?? ''
    const dump = execFileSync(join(programs, 'pg_dump'), [stores.postgresql.url('warehouse_backup')], {
      encoding: 'utf8',
    })
    // Between the two the service goes on, and merges files.
    await warehouse.land(readings, [reading({ checkpoint: 'after' })])
    await warehouse.checkpoint()
    await warehouse.close()
    cpSync(stores.s3Folder, empty.s3Folder, { recursive: true })

    await empty.postgresql.run('postgres', 'CREATE DATABASE warehouse_backup')
    execFileSync(join(programs, 'psql'), ['--quiet', empty.postgresql.url('warehouse_backup')], {
      input: dump,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const restoredSettings = empty.settings(empty.folder(), 'backup')
    const restored = await openWarehouse(restoredSettings.data_dir, { place: await createPlace(restoredSettings) })
    const checkpoints = async () =>
      (await restored.query<{ checkpoint: string }>('SELECT checkpoint FROM readings ORDER BY checkpoint')).map(
        (row) => row.checkpoint,
      )
    expect(await checkpoints()).toEqual(['before 0', 'before 1', 'before 2'])
    await restored.land(readings, [reading({ checkpoint: 'restored' })])
    await restored.checkpoint()
    expect(await checkpoints()).toEqual(['before 0', 'before 1', 'before 2', 'restored'])
    await expect(
      empty.postgresql.run('warehouse_backup', 'INSERT INTO ducklake_snapshot SELECT * FROM ducklake_snapshot LIMIT 1'),
    ).rejects.toThrow('another process has the turn to write')
    await restored.close()
  },
)

test.skipIf(PARTS_MISSING !== null)(
  `tables that were altered by hand are refused by the next process that writes, and by the doctor ${PARTS_MISSING ?? ''}`,
  { timeout: 120_000 },
  async () => {
    const stores = await startSharedStores()
    onTestFinished(() => stores.remove())
    const settings = stores.settings(stores.folder(), 'altered')
    const opened = async () => openWarehouse(settings.data_dir, { place: await createPlace(settings) })
    const alter = async (...statements: string[]) => {
      await using warehouse = await opened()
      await warehouse.write(async ({ connection }) => {
        for (const statement of statements) await connection.run(statement)
      })
    }
    const land = async (checkpoint: string) => {
      await using warehouse = await opened()
      await warehouse.land(readings, [reading({ checkpoint })])
    }
    await land('before')
    const altered = /readings\.wait_minutes is VARCHAR in place of DOUBLE/
    await alter(
      'ALTER TABLE readings RENAME wait_minutes TO minutes',
      'ALTER TABLE readings ADD COLUMN wait_minutes VARCHAR',
    )
    await expect(land('after')).rejects.toMatchObject({
      code: 'STORE_DAMAGED',
      message: expect.stringMatching(altered),
    })
    expect(await runCheck('store', () => checkStore(settings))).toMatchObject({
      level: 'wrong',
      says: expect.stringMatching(altered),
    })
  },
)
