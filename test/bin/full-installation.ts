import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { issueKey, revokeKey } from '../../api/accounts/keys/keys.ts'
import { LocalGate } from '../../api/data/gate/local-gate.ts'
import { openState } from '../../api/state/open.ts'
import { dataPaths } from '../../config/settings.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { writeCapture } from '../../warehouse/storage/raw-captures.ts'
import { checkSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { insertFullAccount } from '../api/accounts/privacy/full-account.ts'
import { NOW } from '../api/example-snapshot.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { reading } from '../warehouse/test-rows.ts'

/** A data folder, and keys of it. */
export interface Installation {
  data: string
  valid: string
  revoked: string
}

/** Makes a data folder with something of everything, and keys that are issued and revoked. */
export async function createInstallation(data: string): Promise<Installation> {
  await checkSimulatedMark({ data_dir: data, simulated_world: undefined })
  const warehouse = await openWarehouse(data)
  for (let batch = 0; batch < 4; batch += 1)
    await warehouse.land(readings, [
      reading({ checkpoint: `${batch}` }),
      reading({ checkpoint: `${batch}`, observed_at: '2026-11-19T12:00:00.000Z' }),
    ])
  await warehouse.land(readings, [reading({ checkpoint: 'the last' })])
  await warehouse.close()
  const about = { fetched_at: '2026-11-20T12:00:00.000Z', url: 'https://a.example/', status: 200, iata: null }
  await writeCapture(data, Buffer.from('a body'), {
    ...about,
    source: 'sea-cwt',
    content_type: 'text/plain',
    etag: null,
    last_modified: null,
  })
  const model = join(dataPaths(data).models, 'security', 'JFK', 'JFK@2026-11-20T00Z')
  await mkdir(model, { recursive: true })
  for (const name of ['model.json', 'weights.bin', 'card.json']) await writeFile(join(model, name), `${name} of JFK`)
  await chmod(join(model, 'card.json'), 0o640)
  await writeSnapshot(dataPaths(data).snapshots, emptyContent('2026-11-20T12:00:00Z'))
  const state = await openState({ data_dir: data })
  await insertFullAccount(state, 'ada')
  const { key: valid } = await issueKey(state, { tier: 'pro' }, NOW)
  const { key: revoked, key_id } = await issueKey(state, { tier: 'pro' }, NOW)
  await revokeKey(state, key_id, NOW)
  const gate = new LocalGate(state)
  const { settle } = await gate.admit(valid, NOW, true)
  settle(true, 'getDelays')
  await gate.flush(NOW)
  await state.close()
  await writeFile(join(data, 'thesis.txt'), 'the file of somebody else')
  return { data, valid, revoked }
}

/** Every file below a folder with its content and mode, without what belongs to running processes, and without the warehouse, whose copy has other bytes. */
export async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const files: Record<string, string> = {}
  for (const path of paths.sort()) {
    const name = relative(folder, path)
    if (/^(locks|state|scratch|thesis|warehouse)/.test(name)) continue
    files[name] = `${(await stat(path)).mode.toString(8)} ${await readFile(path, 'latin1')}`
  }
  return files
}

export async function stateRows(data_dir: string): Promise<Record<string, unknown[]>> {
  const state = await openState({ data_dir })
  const rows: Record<string, unknown[]> = {}
  for (const { name } of await state.db.introspection.getTables())
    if (name !== 'installation')
      rows[name] = await state.db
        .selectFrom(name as 'keys')
        .selectAll()
        .execute()
  await state.close()
  return rows
}

export async function readingRows(data_dir: string): Promise<unknown[]> {
  const warehouse = await openWarehouse(data_dir)
  const rows = await warehouse.query('SELECT * FROM readings ORDER BY ALL')
  await warehouse.close()
  return rows
}
