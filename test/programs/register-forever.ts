import { issueKey } from '../../accounts/keys/keys.ts'
import { openState } from '../../api/state/open.ts'
import { openLog } from '../../bin/runtime/log.ts'
import { openGate } from '../../bin/runtime/open-gate.ts'
import { buildApp } from '../../bin/service/app.ts'
import { indexAirports } from '../../config/airports/directory.ts'
import { readSettings } from '../../config/settings.ts'
import { loadSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'

/**
 * Registers agents, revokes every third and makes billed calls in an endless loop, through the real app on a real state.
 * Prints each acknowledged change with its time. The durability test kills it. Uses Redis if an address is given.
 */
const folder = process.argv[2] ?? ''
const environment = { HOLDSHORT_DATA_DIR: folder, REDIS_URL: process.argv[3] }
const settings = { ...readSettings(environment), registrations_per_minute: 1e6 }
settings.registrations_per_day = 1e6
const state = await openState(settings)
await writeSnapshot(folder, emptyContent(new Date().toISOString()))
const snapshot = await loadSnapshot(folder)
const gate = await openGate(settings, state, openLog({ log_level: 'silent' }, 'test'))
const app = await buildApp({
  settings,
  state,
  directory: indexAirports([]),
  holder: { current: () => snapshot },
  ...gate.dependencies,
})
const print = (...fields: string[]) => process.stdout.write(`${[...fields, Date.now()].join(' ')}\n`)

const payer = await issueKey(state, { tier: 'enterprise' }, Date.now())
print('payer', payer.account_id)
for (let round = 0; ; round++) {
  const registration = await app.inject({ method: 'POST', url: '/api/agent/register', payload: {} })
  const { agent_id, api_key } = registration.json()
  if (registration.statusCode === 201) print('registered', api_key)
  const call = await app.inject({ url: '/api/v1/airports', headers: { 'x-api-key': payer.key } })
  if (call.statusCode === 200) print('billed', payer.account_id)
  if (round % 3 !== 0) continue
  const { id } = await state.db
    .selectFrom('keys')
    .select('id')
    .where('account_id', '=', agent_id)
    .executeTakeFirstOrThrow()
  print('revoking', api_key)
  const headers = { 'x-api-key': api_key }
  const revocation = await app.inject({ method: 'DELETE', url: `/api/keys/${id}`, headers })
  if (revocation.statusCode === 204) print('revoked', api_key)
}
