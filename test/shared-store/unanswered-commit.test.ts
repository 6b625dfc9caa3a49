import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HoldshortError } from '../../config/errors.ts'
import { readSettings } from '../../config/settings.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { landRows } from '../../warehouse/storage/write.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'
import { createPlace, PARTS_MISSING, type SharedStores, startSharedStores } from './installation.ts'
import { BUCKET } from './s3-server.ts'

/** Stands between a writer and PostgreSQL, and can end a connection between the COMMIT of PostgreSQL and its answer. */
class CuttingProxy {
  readonly #target: URL
  readonly #server: Server
  /** How many commits were made and not answered. */
  cut = 0
  isArmed = false

  constructor(target: URL) {
    this.#target = target
    this.#server = createServer((client) => this.#serve(client))
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as { port: number }).port)
    return url.href
  }

  #serve(client: Socket): void {
    const server = connect(Number(this.#target.port), this.#target.hostname)
    let isWriting = false
    let isCommitting = false
    const end = () => {
      client.destroy()
      server.destroy()
    }
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      isWriting ||= /INSERT INTO \S*ducklake_snapshot\b/.test(text)
      isCommitting = this.isArmed && isWriting && text.includes('COMMIT')
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isCommitting) return client.write(bytes)
      this.isArmed = false
      this.cut += 1
      return end()
    })
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
  }

  stop(): void {
    this.#server.close()
  }
}

describe.skipIf(PARTS_MISSING !== null)(`a COMMIT without an answer ${PARTS_MISSING ?? ''}`, () => {
  let stores: SharedStores
  beforeAll(async () => {
    stores = await startSharedStores()
  })
  afterAll(() => stores?.remove())

  test('loses and doubles no row, and the tables can be read on', async () => {
    const environment = stores.environment(stores.folder(), 'unanswered')
    const settings = readSettings(environment)
    await createPlace(settings)
    const proxy = new CuttingProxy(new URL(catalogUrl(settings)))
    const url = await proxy.start()
    await using warehouse = await openWarehouse(settings.data_dir, { place: ducklakePlace(settings, url, 'test') })
    const rows = (name: string) =>
      Array.from({ length: 5 }, (_, row) => reading({ checkpoint: name, terminal: String(row) }))
    await warehouse.land(readings, rows('first'))
    proxy.isArmed = true
    const failed = await warehouse.land(readings, rows('second')).then(
      () => null,
      (error: HoldshortError) => error,
    )
    expect(failed?.code).toBe('STORE_UNREACHABLE')
    expect(proxy.cut).toBe(1)
    await warehouse.land(readings, rows('second'))
    await warehouse.land(readings, rows('third'))
    expect(
      await warehouse.query('SELECT checkpoint, count(*)::INTEGER AS n FROM readings GROUP BY ALL ORDER BY ALL'),
    ).toEqual([
      { checkpoint: 'first', n: 5 },
      { checkpoint: 'second', n: 5 },
      { checkpoint: 'third', n: 5 },
    ])
    proxy.stop()
  }, 120_000)

  test('of a transaction that failed leaves files, which the checkpoint deletes, and no other', async () => {
    const settings = stores.settings(stores.folder(), 'failed')
    await using warehouse = await openWarehouse(settings.data_dir, { place: await createPlace(settings) })
    const files = () =>
      readdirSync(join(stores.s3Folder, BUCKET, 'failed'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.parquet'),
      )
    const rowsOf = (name: string) => [reading({ checkpoint: name })]
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
    expect(await warehouse.query('SELECT checkpoint FROM readings ORDER BY ALL')).toEqual([
      { checkpoint: 'first' },
      { checkpoint: 'second' },
    ])
  }, 120_000)
})
