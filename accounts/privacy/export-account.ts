import type { Actor } from '../../api/state/actor.ts'
import type { State } from '../../api/state/state.ts'
import { HoldshortError } from '../../config/errors.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { ACCOUNT_TABLES, isDeliveryOf, type Owner, rowsOf } from './account-tables.ts'

/**
 * Exports everything stored about an account and records the export in the audit log. The rows of each table stand under its name,
 * with the columns of `ACCOUNT_TABLES`.
 * @throws HoldshortError NOT_FOUND for an unknown account.
 */
export function exportAccount(state: State, owner: Owner, by: Actor, now: number): Promise<Record<string, unknown>> {
  return state.db.transaction().execute(async (db) => {
    const { account_id } = owner
    const account = await db
      .selectFrom('accounts')
      .select(['id', 'name', 'contact_email', 'created_at', 'tier', 'deleted_at'])
      .where('id', '=', account_id)
      .executeTakeFirst()
    if (!account) throw new HoldshortError('NOT_FOUND', `no account has the id ${account_id}`)
    await recordAuditEntry(db, account_id, 'account_exported', by, now)
    const tables: Record<string, Record<string, unknown>[]> = {}
    for (const accountTable of ACCOUNT_TABLES) tables[accountTable.table] = await rowsOf(db, accountTable, owner)
    const person = await db
      .selectFrom('people')
      .select('password_hash')
      .where('account_id', '=', account_id)
      .executeTakeFirst()
    const subscriptions = await db
      .selectFrom('push_subscriptions')
      .select(['id', 'endpoint'])
      .where('account_id', '=', account_id)
      .execute()
    const deliveries = await db
      .selectFrom('deliveries')
      .where(isDeliveryOf(db, account_id))
      .select(['created_at', 'id', 'alert_id', 'subscription_id', 'payload', 'due_at', 'attempts', 'state', 'error'])
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return {
      exported_at: new Date(now).toISOString(),
      account,
      has_password: person ? person.password_hash !== null : false,
      /** Host of the push service of each connected browser, by the id of its subscription. */
      push_services: Object.fromEntries(subscriptions.map(({ id, endpoint }) => [id, new URL(endpoint).host])),
      ...tables,
      deliveries,
    }
  })
}

const ROWS_A_SLICE = 200

/** The text of an export, as indented JSON in slices, so that a long one can be written without holding up others. */
export function* exportText(exported: object): Generator<string> {
  let separator = '{\n'
  for (const [name, value] of Object.entries(exported)) {
    yield `${separator}  ${JSON.stringify(name)}: `
    separator = ',\n'
    if (Array.isArray(value) && value.length > 0) yield* rowsText(value)
    else yield indented(value, '  ')
  }
  yield '\n}\n'
}

function* rowsText(rows: readonly unknown[]): Generator<string> {
  for (let from = 0; from < rows.length; from += ROWS_A_SLICE) {
    const slice = rows.slice(from, from + ROWS_A_SLICE).map((row) => `    ${indented(row, '    ')}`)
    yield `${from === 0 ? '[' : ','}\n${slice.join(',\n')}`
  }
  yield '\n  ]'
}

const indented = (value: unknown, indent: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
