import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createCatalogDatabase,
  requireSameWorld,
  withCatalog,
} from '../../../warehouse/coordination/catalog-database.ts'
import { openPointers } from '../../../warehouse/coordination/pointers.ts'
import { takeTurn } from '../../../warehouse/coordination/turns.ts'
import { type Cluster, postgresqlPrograms, startCluster } from '../../api/state/cluster.ts'

const ROUNDS = [0, 1, 2, 3]
const AT_ONCE = [0, 1, 2, 3, 4, 5]

describe.skipIf(postgresqlPrograms() === null)('on a server whose transactions are serializable by default', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster()
    await cluster.run('postgres', "ALTER ROLE holdshort SET default_transaction_isolation = 'serializable'")
  })
  afterAll(() => cluster?.remove())

  test('machines that create the catalog database and start at once all succeed', async () => {
    for (const round of ROUNDS) {
      const url = cluster.url(`round_${round}`)
      await Promise.all(AT_ONCE.map(() => createCatalogDatabase(url)))
      await Promise.all(AT_ONCE.map(() => requireSameWorld(url, false)))
    }
  })

  test('a machine whose world is another one than that of a machine that marks the new catalog meanwhile is refused', async () => {
    const url = cluster.url('worlds')
    await createCatalogDatabase(url)
    await withCatalog(url, 'test', async (other) => {
      await other.query('BEGIN')
      await other.query('INSERT INTO holdshort.installation VALUES (true)')
      const refused = expect(requireSameWorld(url, false)).rejects.toMatchObject({ code: 'WORLD_MISMATCH' })
      await sleep(200)
      await other.query('COMMIT')
      await refused
    })
    await requireSameWorld(url, true)
  })

  test('an address with options of its own has our isolation too', async () => {
    const url = `${cluster.url('postgres')}?options=-c%20statement_timeout%3D60000`
    const { rows } = await withCatalog(url, 'test', (client) => client.query('SHOW transaction_isolation'))
    expect(rows).toEqual([{ transaction_isolation: 'read committed' }])
  })

  test('a publication waits for another one of its name', async () => {
    const url = cluster.url('published')
    await createCatalogDatabase(url)
    await using lead = (await takeTurn(url, 'lead', { purpose: 'test', wait_ms: 1_000 }))!
    const pointers = openPointers(url)
    await pointers.write('snapshot', lead.epoch, { id: 1 })
    await withCatalog(url, 'test', async (other) => {
      await other.query('BEGIN')
      await other.query('UPDATE holdshort.published SET published_at = now()')
      const written = pointers.write('snapshot', lead.epoch, { id: 2 })
      written.catch(() => undefined)
      await sleep(200)
      await other.query('COMMIT')
      await written
    })
    expect(await pointers.read('snapshot')).toMatchObject({ manifest: { id: 2 } })
    await pointers.close()
  })
})
