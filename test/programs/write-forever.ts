import { randomUUID } from 'node:crypto'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { issueKey, revokeKey } from '../../api/accounts/keys/keys.ts'
import { registerAgent } from '../../api/accounts/keys/registration.ts'
import { LocalGate } from '../../api/data/gate/local-gate.ts'
import { insertReport } from '../../api/data/reports/file-report.ts'
import { openState } from '../../api/state/open.ts'
import { isUnreachable } from '../../api/state/unreachable.ts'

/**
 * Registers, revokes, reports, grants and bills for ever, several at once, on a real state; says what was acknowledged as
 * soon as it is. Killed by the durability tests; while the database is away, it waits for it.
 */
const LANES = 4
const FLUSH_MS = 60

const [data_dir = '', database_url] = process.argv.slice(2)
const state = await openState({ data_dir, ...(database_url && { database_url, key_pepper: 'pepper of the writers' }) })
const gate = new LocalGate(state)
const caps = { registrations_per_minute: 1e6, registrations_per_day: 1e6 }
const say = (...words: (string | number)[]) => process.stdout.write(`${words.join(' ')}\n`)

const payer = await issueKey(state, { tier: 'enterprise' }, Date.now())
let billed = 0
say('payer', payer.account_id)

/** What one lane does, again and again. */
async function round(number: number): Promise<void> {
  const address = `2001:db8:${process.pid.toString(16)}:${(number % 0xffff).toString(16)}::1`
  const { key, key_id, account_id } = await registerAgent(state, caps, { address }, Date.now())
  say('registered', key)
  const { settle, refusal } = await gate.admit(payer.key, Date.now(), true)
  if (!refusal) {
    settle(true, 'getDelays')
    billed++
    say('billed', payer.account_id)
  }
  const now = Date.now()
  const at = new Date(now).toISOString()
  if (number % 3 === 0) {
    say('revoking', key)
    await revokeKey(state, key_id, now)
    say('revoked', key)
  } else if (number % 3 === 1) {
    const report = { account_id, iata: 'JFK', queue: 'security', terminal: '4', lane: null, wait_minutes: number % 90 }
    const filed = await insertReport(state, { ...report, observed_at: at, status: 'accepted', reason: null }, now)
    say('reported', filed.id, filed.wait_minutes)
  } else {
    const id = `grant_${randomUUID()}`
    await state.changeAccess(async (transaction) => {
      await transaction
        .insertInto('grants')
        .values({ id, account_id, tier: 'pro', granted_at: at, until: null, ended_at: null, note: null })
        .execute()
      await transaction.updateTable('accounts').set({ tier: 'pro' }).where('id', '=', account_id).execute()
    })
    say('granted', id, account_id)
  }
}

async function lane(first: number): Promise<void> {
  for (let number = first; ; number += LANES) {
    try {
      await round(number)
    } catch (error) {
      if (!isUnreachable(error)) throw error
      say('unreachable', (error as Error).name)
      await wait(20)
    }
    await turn()
  }
}

async function flushForEver(): Promise<void> {
  for (;;) {
    await wait(FLUSH_MS)
    const counted = billed
    const written = await gate.flush(Date.now()).then(
      () => true,
      () => false,
    )
    if (written) say('flushed', payer.account_id, counted)
  }
}

await Promise.all([flushForEver(), ...Array.from({ length: LANES }, (_, first) => lane(first))])
