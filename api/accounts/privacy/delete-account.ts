import type { Kysely } from 'kysely'
import { HoldshortError } from '../../../config/errors.ts'
import type { Actor } from '../../state/actor.ts'
import type { State } from '../../state/state.ts'
import type { StateTables } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { deleteRowsOf, HOLDINGS, isDeliveryOf, type Owner, rowsOf } from './account-tables.ts'

/** What Stripe calls a subscription that no longer takes money. */
const OVER = ['canceled', 'incomplete_expired']

/** What deleting an account removes and keeps: rows by table. */
export interface Deletion {
  account_id: string
  removed: Record<string, number>
  kept: Record<string, number>
}

/** Thrown to take a deletion back that was only tried. */
class Tried extends Error {
  readonly deletion: Deletion
  constructor(deletion: Deletion) {
    super('only tried')
    this.deletion = deletion
  }
}

/**
 * Removes everything personal of an account, in one transaction: its keys, sessions and connections are refused from the
 * next call on. What must stay hangs on the bare id of an account that can do nothing any more.
 * @throws HoldshortError NOT_FOUND for an unknown account; CONFLICT while a subscription still takes money.
 */
export function deleteAccount(state: State, owner: Owner, by: Actor, now: number): Promise<Deletion> {
  return state.changeAccess((transaction) => removeAll(transaction, owner, by, now))
}

/** What deleting an account would remove and keep, by doing and taking it back. @throws as `deleteAccount` */
export async function tryDeletion(state: State, owner: Owner, by: Actor, now: number): Promise<Deletion> {
  try {
    return await state.db.transaction().execute(async (transaction) => {
      throw new Tried(await removeAll(transaction, owner, by, now))
    })
  } catch (error) {
    if (error instanceof Tried) return error.deletion
    throw error
  }
}

async function removeAll(db: Kysely<StateTables>, owner: Owner, by: Actor, now: number): Promise<Deletion> {
  const { account_id } = owner
  await emptyAccount(db, account_id, now)
  await refuseWhilePaying(db, account_id)
  const removed: Record<string, number> = {
    deliveries: await deleteDeliveries(db, account_id),
    oauth_records: await deleteOauthRecords(db, owner),
    challenges: await deleteChallenges(db, owner),
  }
  const kept: Record<string, number> = {}
  await db.updateTable('invoices').set({ hosted_url: null }).where('account_id', '=', account_id).execute()
  const { numDeletedRows } = await db
    .deleteFrom('wait_reports')
    .where('account_id', '=', account_id)
    .where('landed_at', 'is', null)
    .executeTakeFirstOrThrow()
  for (const holding of HOLDINGS) {
    if (holding.stays) kept[holding.table] = (await rowsOf(db, holding, owner)).length
    else removed[holding.table] = await deleteRowsOf(db, holding, owner)
  }
  removed['wait_reports'] = Number(numDeletedRows)
  await recordAuditEntry(db, account_id, 'account_deleted', { ...by, source: null }, now)
  return { account_id, removed, kept }
}

async function emptyAccount(db: Kysely<StateTables>, account_id: string, now: number): Promise<void> {
  const emptied = { name: null, contact_email: null, tier: 'free', deleted_at: new Date(now).toISOString() } as const
  const { numUpdatedRows } = await db
    .updateTable('accounts')
    .set(emptied)
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw new HoldshortError('NOT_FOUND', `no account is called ${account_id}`)
}

async function refuseWhilePaying(db: Kysely<StateTables>, account_id: string): Promise<void> {
  const paying = await db
    .selectFrom('subscriptions')
    .select('status')
    .where('account_id', '=', account_id)
    .where('subscription_id', 'is not', null)
    .where('status', 'not in', OVER)
    .executeTakeFirst()
  if (!paying) return
  const message = `its subscription is ${paying.status} and would go on taking money; cancel it at Stripe first`
  throw new HoldshortError('CONFLICT', message)
}

async function deleteDeliveries(db: Kysely<StateTables>, account_id: string): Promise<number> {
  const deleting = db.deleteFrom('deliveries').where(isDeliveryOf(db, account_id))
  return Number((await deleting.executeTakeFirstOrThrow()).numDeletedRows)
}

/** Records of the authorization server that belong to its connections, or name the account or its person. */
async function deleteOauthRecords(db: Kysely<StateTables>, { account_id, person_id }: Owner): Promise<number> {
  const grants = db.selectFrom('connections').select('grant_id').where('account_id', '=', account_id)
  const { numDeletedRows } = await db
    .deleteFrom('oauth_records')
    .where((expression) =>
      expression.or([
        expression('grant_id', 'in', grants),
        expression('payload', 'like', `%"${account_id}"%`),
        ...(person_id === null ? [] : [expression('payload', 'like', `%"${person_id}"%`)]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Challenges and one-time links that name the account, its person or the person's email. */
async function deleteChallenges(db: Kysely<StateTables>, { account_id, person_id }: Owner): Promise<number> {
  const person = await db.selectFrom('people').select('email').where('account_id', '=', account_id).executeTakeFirst()
  const names = [account_id, person_id, person?.email].filter((name) => name !== null && name !== undefined)
  const rows = await db.selectFrom('challenges').select(['hash', 'payload']).execute()
  const naming = rows.filter(({ payload }) => names.some((name) => payload.includes(JSON.stringify(name))))
  for (const { hash } of naming) await db.deleteFrom('challenges').where('hash', '=', hash).execute()
  return naming.length
}
