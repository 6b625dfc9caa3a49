import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { issueKey, revokeKey } from '../../accounts/keys/keys.ts'
import { registerAgent } from '../../accounts/keys/registration.ts'
import { LocalGate } from '../../api/gate/local-gate.ts'
import { insertReport } from '../../api/reports/file-report.ts'
import { openState } from '../../api/state/open.ts'
import { isUnreachable } from '../../api/state/unreachable.ts'

/**
 * Registers, revokes, files reports, grants and bills in an endless loop, several at a time, on a real state. Prints each
 * acknowledged change. The durability tests kill it; while the database is unreachable, it waits.
 */
const LANES = 4
const FLUSH_MS = 60

const [data_dir = '', database_url] = process.argv.slice(2)
const state = await openState({ data_dir, ...(database_url && { database_url, key_pepper: 'pepper of the writers' }) })
const gate = new LocalGate(state)
const caps = { registrations_per_minute: 1e6, registrations_per_day: 1e6 }
const print = (...fields: (string | number)[]) => process.stdout.write(`${fields.join(' ')}\n`)

const payer = await issueKey(state, { tier: 'enterprise' }, Date.now())
let billed = 0
print('payer', payer.account_id)

/** One round of a lane: registers an agent, bills a call, and revokes, reports or grants. */
async function round(number: number): Promise<void> {
  const address = `2001:db8:${process.pid.toString(16)}:${(number % 0xffff).toString(16)}::1`
  const { key, key_id, account_id } = await registerAgent(state, caps, { address }, Date.now())
  print('registered', key)
  const { settle, refusal } = await gate.admit(payer.key, Date.now(), true)
  if (!refusal) {
    settle(true, 'getDelays')
    billed++
    print('billed', payer.account_id)
  }
  const now = Date.now()
  const instant = new Date(now).toISOString()
  if (number % 3 === 0) {
    print('revoking', key)
    await revokeKey(state, key_id, now)
    print('revoked', key)
  } else if (number % 3 === 1) {
    const report = { account_id, iata: 'JFK', queue: 'security', terminal: '4', lane: null, wait_minutes: number % 90 }
    const filed = await insertReport(
      state,
      { ...report, observed_at: instant, status: 'accepted', reason: null, network_hash: null },
      now,
    )
    print('reported', filed.id, filed.wait_minutes)
  } else {
    const id = `grant_${randomUUID()}`
    await state.changeAccess(async (transaction) => {
      await transaction
        .insertInto('grants')
        .values({ id, account_id, tier: 'pro', granted_at: instant, until: null, ended_at: null, note: null })
        .execute()
      await transaction.updateTable('accounts').set({ tier: 'pro' }).where('id', '=', account_id).execute()
    })
    print('granted', id, account_id)
  }
}

async function lane(first: number): Promise<void> {
  for (let number = first; ; number += LANES) {
    try {
      await round(number)
    } catch (error) {
      if (!isUnreachable(error)) throw error
      print('unreachable', (error as Error).name)
      await wait(20)
    }
    await nextTurn()
  }
}

async function flushForever(): Promise<void> {
  for (;;) {
    await wait(FLUSH_MS)
    const counted = billed
    const written = await gate.flush(Date.now()).then(
      () => true,
      () => false,
    )
    if (written) print('flushed', payer.account_id, counted)
  }
}

await Promise.all([flushForever(), ...Array.from({ length: LANES }, (_, first) => lane(first))])
