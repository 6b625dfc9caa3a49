import { OPERATOR } from '../../accounts/audit/audit-log.ts'
import { type IssuedKey, revokeKey } from '../../accounts/keys/keys.ts'
import { deleteAccount } from '../../accounts/privacy/delete-account.ts'
import type { State } from '../../api/state/state.ts'
import { printError, printOnce } from './output.ts'

/**
 * Prints the text that shows a new key. Nothing can show it again: if it cannot be written, the key is revoked, and the account that was made
 * for it deleted. @throws the system's error then
 */
export const showKey = (
  state: State,
  { account_id, key_id }: IssuedKey,
  text: string,
  isOfNewAccount: boolean,
): Promise<void> =>
  printOnce(text, async () => {
    const now = Date.now()
    if (isOfNewAccount) await deleteAccount(state, { account_id, person_id: null }, OPERATOR, now)
    else await revokeKey(state, key_id, now)
    printError(`${key_id} was shown to nobody and is revoked`)
  })
