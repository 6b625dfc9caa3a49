import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HoldshortError } from '../../config/errors.ts'
import { readSettings } from '../../config/settings.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { openWarehouse, type Warehouse } from '../../warehouse/storage/warehouse.ts'
import { landRows } from '../../warehouse/storage/write.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'
import { startCuttingProxy } from './cutting-proxy.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from './installation.ts'
import { BUCKET } from './s3-server.ts'

const BATCH = 5
const MAX_ANSWERS = 200
const TRIES = 5

const rowsOf = (checkpoint: string) =>
  Array.from({ length: BATCH }, (_, row) => reading({ checkpoint, terminal: String(row) }))

/** Lands a batch until it is acknowledged; returns the codes of the refusals. */
async function landAgain(warehouse: Warehouse, checkpoint: string): Promise<string[]> {
  const codes: string[] = []
  while (codes.length < TRIES) {
    const code = await warehouse.land(readings, rowsOf(checkpoint)).then(
      () => null,
      (error: HoldshortError) => error.code ?? error.message,
    )
    if (code === null) break
    codes.push(code)
  }
  return codes
}

describe.skipIf(PARTS_MISSING !== null)(`answers of the stores that are lost ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  beforeAll(async () => {
    stores = await startSharedStores()
  })
  afterAll(() => stores?.remove())

  test.each(['PostgreSQL', 'S3'])(
    'whichever answer of %s is lost, a landing is refused with its code or made, once, and all can be read',
    async (name) => {
      const environment = stores.environment(stores.folder(), `lost-${name.toLowerCase()}`)
      const settings = readSettings(environment)
      await createPlace(settings)
      const catalog = catalogUrl(settings)
      const proxy = await startCuttingProxy(name === 'S3' ? stores.s3.url : catalog)
      const place =
        name === 'S3'
          ? ducklakePlace(readSettings({ ...environment, AWS_ENDPOINT_URL: proxy.url }), catalog, 'test')
          : ducklakePlace(settings, proxy.url, 'test')
      await using warehouse = await openWarehouse(settings.data_dir, { place })
      expect(await landAgain(warehouse, 'first')).toEqual([])
      const refused: string[] = []
      let number = 1
      for (; number < MAX_ANSWERS; number += 1) {
        const isLost = await proxy.without(number, async () => {
          refused.push(...(await landAgain(warehouse, `batch ${number}`)))
        })
        const batches = await warehouse.query<{ n: number }>(
          'SELECT count(*)::INTEGER AS n FROM readings GROUP BY checkpoint',
        )
        expect(batches.filter(({ n }) => n !== BATCH)).toEqual([])
        expect(batches).toHaveLength(number + 1)
        if (!isLost) break
      }
      process.stdout.write(
        `answers of ${name} to a landing that were lost: ${number - 1}, refused landings: ${refused.length}\n`,
      )
      expect(number).toBeLessThan(MAX_ANSWERS)
      expect(refused.filter((code) => code !== 'STORE_UNREACHABLE')).toEqual([])
      // S3 is asked again by the engine itself.
      expect(refused.length > 0).toBe(name === 'PostgreSQL')
      proxy.close()
    },
    600_000,
  )

  test('the files of a transaction that failed go with the checkpoint, and no other', async () => {
    const settings = stores.settings(stores.folder(), 'failed')
    await using warehouse = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
    const files = () =>
      readdirSync(join(stores.s3Folder, BUCKET, 'failed'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.parquet'),
      )
    await warehouse.write(async ({ connection }) => {
      for (const option of ['expire_older_than', 'delete_older_than'])
        await connection.run(`CALL warehouse.set_option('${option}', '0 seconds')`)
    })
    await warehouse.land(readings, rowsOf('first'))
    await warehouse.land(readings, rowsOf('second'))
    const landed = files()
    await expect(
      warehouse.write(async (context) => {
        await landRows(context, readings, rowsOf('third'))
        throw new Error('failed')
      }),
    ).rejects.toThrow('failed')
    const left = files().filter((path) => path.includes('readings') && !landed.includes(path))
    expect(left).toHaveLength(1)
    await warehouse.checkpoint()
    expect(files()).not.toContain(left[0])
    // The two small files are merged into one.
    expect(files().filter((path) => path.includes('readings'))).toHaveLength(1)
    expect(await warehouse.query('SELECT DISTINCT checkpoint FROM readings ORDER BY ALL')).toEqual([
      { checkpoint: 'first' },
      { checkpoint: 'second' },
    ])
  }, 120_000)
})
