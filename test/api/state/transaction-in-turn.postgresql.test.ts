import type { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { issueKey, listKeys } from '../../../accounts/keys/keys.ts'
import { lockAccount } from '../../../api/state/lock-account.ts'
import { openState } from '../../../api/state/open.ts'
import type { State } from '../../../api/state/state.ts'
import type { StateTables } from '../../../api/state/tables.ts'
import { transactionInTurn } from '../../../api/state/transaction-in-turn.ts'
import { NOW } from '../example-snapshot.ts'
import { temporaryFolder } from '../harness.ts'

type Lock = (transaction: Kysely<StateTables>) => Promise<void>

test.each([
  ['transactions', (here: State, account_id: string, lock: Lock) => transactionInTurn(here, account_id, lock)],
  ['changes of access', (here: State, _account_id: string, lock: Lock) => here.changeAccess(lock)],
])(
  'many %s that wait for the lock of one account leave connections to others, and all are done',
  async (_name, begin) => {
    const data_dir = temporaryFolder()
    const [here, there] = [await openState({ data_dir }), await openState({ data_dir })]
    onTestFinished(async () => {
      await here.close()
      await there.close()
    })
    const { account_id } = await issueKey(here, { tier: 'pro' }, NOW)
    const other = await there.db.startTransaction().execute()
    await lockAccount(other, account_id)
    const waiting = Array.from({ length: 14 }, () =>
      begin(here, account_id, (transaction) => lockAccount(transaction, account_id)),
    )
    expect(await listKeys(here)).toHaveLength(1)
    expect(here.fault()).toBeNull()
    await other.commit().execute()
    await Promise.all(waiting)
  },
)
