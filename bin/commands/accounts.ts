import type { Command } from 'commander'
import { signInLink } from '../accounts/sign-in-link.ts'
import type { StateFlags } from '../state.ts'

/** `holdshort accounts sign-in-link`: the operator's hand on accounts of people. */
export function accountsCommand(program: Command): void {
  const accounts = program.command('accounts').description('Look after the accounts of people.')
  const common = (command: Command) =>
    command.option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)').option('--json', 'print as JSON')
  common(accounts.command('sign-in-link'))
    .description('Print a link that signs a person in once, within 15 minutes. It is a secret of that person.')
    .argument('<email>', 'email that the person signed up with')
    .action((email: string, flags: StateFlags) => signInLink(email, flags))
}
