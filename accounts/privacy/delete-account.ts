import type { Kysely } from 'kysely'
import type { Actor } from '../../api/state/actor.ts'
import type { State } from '../../api/state/state.ts'
import type { StateTables } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { withdrawWithin } from '../moderation/withdraw-reports.ts'
import { ACCOUNT_TABLES, deleteRowsOf, isDeliveryOf, type Owner, rowsOf } from './account-tables.ts'

/** Subscription statuses of Stripe under which nothing is charged any more. */
const ENDED_STATUSES = ['canceled', 'incomplete_expired']

/** The number of rows that deleting an account removes and keeps, by table. */
export interface Deletion {
  account_id: string
  removed: Record<string, number>
  kept: Record<string, number>
}

/** Thrown to roll back the transaction of a dry run. */
class DryRun extends Error {
  readonly deletion: Deletion
  constructor(deletion: Deletion) {
    super('dry run')
    this.deletion = deletion
  }
}

/**
 * Removes all personal data of an account in one transaction. Its keys, sessions and connections are refused from the next
 * call on. Rows that must be retained refer to the bare account id, which can do nothing any more.
 * @throws HoldshortError NOT_FOUND for an unknown account; CONFLICT while a subscription can still be charged.
 */
export function deleteAccount(state: State, owner: Owner, by: Actor, now: number): Promise<Deletion> {
  return state.changeAccess((transaction) => removeAll(transaction, owner, by, now))
}

/** Reports what deleting an account would remove and keep, by deleting it and rolling back. @throws as `deleteAccount` */
export async function tryDeletion(state: State, owner: Owner, by: Actor, now: number): Promise<Deletion> {
  try {
    return await state.db.transaction().execute(async (transaction) => {
      throw new DryRun(await removeAll(transaction, owner, by, now))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.deletion
    throw error
  }
}

async function removeAll(db: Kysely<StateTables>, owner: Owner, by: Actor, now: number): Promise<Deletion> {
  const { account_id } = owner
  const isFirst = await clearAccount(db, account_id, now)
  await refuseWhileCharged(db, account_id)
  const removed: Record<string, number> = {
    deliveries: await deleteDeliveries(db, account_id),
    oauth_records: await deleteOauthRecords(db, owner),
    challenges: await deleteChallenges(db, owner),
  }
  const kept: Record<string, number> = {}
  // Without an account and its network they would count as those of one more traveller.
  await withdrawWithin(db, account_id)
  const { numDeletedRows } = await db
    .deleteFrom('wait_reports')
    .where('account_id', '=', account_id)
    .where('landed_at', 'is', null)
    .executeTakeFirstOrThrow()
  await db.updateTable('wait_reports').set({ network_hash: null }).where('account_id', '=', account_id).execute()
  for (const accountTable of ACCOUNT_TABLES) {
    // Deleting again removes what came since, but not when and by whom the account was deleted.
    if (!isFirst && accountTable.table === 'audit') continue
    if (accountTable.retained_because) kept[accountTable.table] = (await rowsOf(db, accountTable, owner)).length
    else removed[accountTable.table] = await deleteRowsOf(db, accountTable, owner)
  }
  removed['wait_reports'] = Number(numDeletedRows)
  if (isFirst) await recordAuditEntry(db, account_id, 'account_deleted', { ...by, source: null }, now)
  return { account_id, removed, kept }
}

/** Clears the account; returns false when it was deleted before. */
async function clearAccount(db: Kysely<StateTables>, account_id: string, now: number): Promise<boolean> {
  const account = await db.selectFrom('accounts').select('deleted_at').where('id', '=', account_id).executeTakeFirst()
  if (account === undefined) throw new HoldshortError('NOT_FOUND', `no account has the id ${account_id}`)
  const deleted_at = account.deleted_at ?? new Date(now).toISOString()
  const cleared = { name: null, contact_email: null, tier: 'free', deleted_at } as const
  await db.updateTable('accounts').set(cleared).where('id', '=', account_id).execute()
  return account.deleted_at === null
}

async function refuseWhileCharged(db: Kysely<StateTables>, account_id: string): Promise<void> {
  const charged = await db
    .selectFrom('subscriptions')
    .select('status')
    .where('account_id', '=', account_id)
    .where('subscription_id', 'is not', null)
    .where('status', 'not in', ENDED_STATUSES)
    .executeTakeFirst()
  if (!charged) return
  const message = `its subscription is ${charged.status} and would still be charged; cancel it at Stripe first`
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
