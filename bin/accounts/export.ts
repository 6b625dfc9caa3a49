import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { OPERATOR } from '../../api/accounts/audit/audit-log.ts'
import { exportAccount, exportText } from '../../api/accounts/privacy/export-account.ts'
import { helpOf } from '../runtime/help.ts'
import { print, printJson } from '../runtime/output.ts'
import { ownerFlag, type StateFlags, withExistingState } from '../runtime/state.ts'

/** `holdshort accounts export`: exports everything stored about an account, for its owner. */
export function addExport(accounts: Command): Command {
  return accounts
    .command('export')
    .description(helpOf('accounts export'))
    .argument('<account>', 'account id, or the email of its owner')
    .option('--out <file>', 'write to a file that only you may read, instead of stdout')
    .action((account: string, flags: StateFlags & { out?: string }) =>
      withExistingState(flags, async (state) => {
        const owner = await ownerFlag(state, account)
        const exported = await exportAccount(state, owner, OPERATOR, Date.now())
        if (flags.out === undefined) printJson(exported)
        else {
          writeFileSync(flags.out, [...exportText(exported)].join(''), { mode: 0o600 })
          const done = { account_id: owner.account_id, file: flags.out }
          print(done, flags.json, () => `wrote ${flags.out}`)
        }
      }),
    )
}
