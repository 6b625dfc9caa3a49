import { writeFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { OPERATOR } from '../../accounts/audit/audit-log.ts'
import { closeCheckout } from '../../accounts/billing/checkout.ts'
import { deleteCustomer } from '../../accounts/billing/customer.ts'
import { grantPlan, revokeGrant } from '../../accounts/billing/grants.ts'
import { listAccounts } from '../../accounts/billing/list-accounts.ts'
import { PAID_TIERS, type PaidTier } from '../../accounts/billing/stripe-client.ts'
import { withdrawReports } from '../../accounts/moderation/withdraw-reports.ts'
import { normaliseEmail } from '../../accounts/people/email.ts'
import { makeSignInToken } from '../../accounts/people/sign-in-link.ts'
import type { Owner } from '../../accounts/privacy/account-tables.ts'
import { type Deletion, deleteAccount, tryDeletion } from '../../accounts/privacy/delete-account.ts'
import { exportAccount, exportText } from '../../accounts/privacy/export-account.ts'
import type { State } from '../../api/state/state.ts'
import { addresses } from '../../config/addresses.ts'
import { countText } from '../../config/count-text.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { settingsFor } from '../runtime/environment.ts'
import { instantFlag, textFlag } from '../runtime/flags.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, printError, printJson, textTable } from '../runtime/output.ts'
import { ownerFlag, withExistingState, withStateToRead } from '../runtime/state.ts'

/** `holdshort accounts sign-in-link` */
export function addSignInLink(accounts: Command): Command {
  return addDataCommand(accounts, 'accounts sign-in-link')
    .argument('<email>', 'the email the person signed up with')
    .action(signInLink)
}

/** Prints a one-time link for a person who can no longer sign in otherwise. */
export async function signInLink(address: string, flags: DataFlags): Promise<void> {
  const email = normaliseEmail(address)
  if (email === null) throw new UsageError(`email: "${address}" is not an email like ada@example.org`)
  return withExistingState(flags, async (state) => {
    const made = await makeSignInToken(state, email, Date.now())
    if (!made) throw new HoldshortError('NOT_FOUND', `email: nobody has signed up with ${email}`)
    const link = `${addresses(settingsFor(flags)).site_url}/sign-in/link?token=${made.token}`
    print({ link, expires_at: made.expires_at }, flags.json, () => link)
  })
}

const addAccount = (command: Command) => command.argument('<account>', 'account id, or the email of its owner')

/** Adds a subcommand that works on one account. */
const addWork = <Flags extends DataFlags>(
  accounts: Command,
  name: string,
  work: (state: State, owner: Owner, flags: Flags) => Promise<void>,
): Command =>
  addAccount(addDataCommand(accounts, `accounts ${name}`)).action((account: string, flags: Flags) =>
    withExistingState(flags, async (state) => work(state, await ownerFlag(state, account), flags)),
  )

const addRevokeGrant = (accounts: Command): Command =>
  addWork(accounts, 'revoke-grant', async (state, { account_id }, flags) => {
    const { tier } = await revokeGrant(state, account_id, Date.now())
    print({ account_id, tier }, flags.json, () => `${account_id} ${tier}`)
  })

function addList(accounts: Command): Command {
  return addDataCommand(accounts, 'accounts list').action((flags: DataFlags) =>
    withStateToRead(flags, async (state) => {
      const listed = await listAccounts(state, Date.now())
      print(listed, flags.json, () =>
        textTable(
          ['id', 'who', 'tier', 'why', 'until', 'keys'],
          listed.map(({ id, email, name, tier, why, until, keys, deleted_at }) => [
            id,
            deleted_at === null ? (email ?? name) : 'deleted',
            tier,
            why,
            until,
            keys,
          ]),
        ),
      )
    }),
  )
}

/** `holdshort accounts withdraw-reports`: withdraws what the owner of an account reported of waits. */
const addWithdrawReports = (accounts: Command): Command =>
  addWork(accounts, 'withdraw-reports', async (state, { account_id }, flags) => {
    const done = await withdrawReports(state, account_id, Date.now())
    print(done, flags.json, () =>
      done.withdrawn === 0
        ? `${account_id} has no reports to withdraw`
        : `withdrew ${countText(done.withdrawn, 'report')} of ${account_id} at ${done.airports.join(', ')}; ${done.counted} of them counted. The running service removes them within seconds, and the next snapshot is without them`,
    )
  })

/** `holdshort accounts export`: exports everything stored about an account, for its owner. */
const addExport = (accounts: Command): Command =>
  addWork(accounts, 'export', async (state, owner, { out: file, json }: DataFlags & { out?: string }) => {
    const exported = await exportAccount(state, owner, OPERATOR, Date.now())
    if (file === undefined) return printJson(exported)
    writeFileSync(file, [...exportText(exported)].join(''), { mode: 0o600 })
    print({ account_id: owner.account_id, file }, json, () => `wrote ${file}`)
  }).option('--out <file>', 'write to a file that only you may read, instead of stdout')

interface GrantFlags extends DataFlags {
  tier: PaidTier
  until?: string
  note?: string
}

const MAX_NOTE_CHARACTERS = 1_000

function addGrant(accounts: Command): Command {
  return addAccount(addDataCommand(accounts, 'accounts grant'))
    .addOption(new Option('--tier <tier>', 'the tier').choices(PAID_TIERS).makeOptionMandatory())
    .option('--until <instant>', 'when the grant ends (exclusive); a day means its midnight in UTC (default: never)')
    .option('--note <text>', 'the reason; only the operator sees it')
    .action((account: string, flags: GrantFlags) => {
      const now = Date.now()
      const end = flags.until === undefined ? null : instantFlag('--until', flags.until)
      if (end !== null && end <= now) throw new UsageError(`--until: ${flags.until} is in the past`)
      const note = flags.note === undefined ? null : textFlag('--note', flags.note, MAX_NOTE_CHARACTERS)
      return withExistingState(flags, async (state) => {
        const { account_id } = await ownerFlag(state, account)
        const until = end === null ? null : new Date(end).toISOString()
        const plan = await grantPlan(state, account_id, { tier: flags.tier, until, note }, now)
        print(
          { account_id, granted: flags.tier, until, tier: plan.tier },
          flags.json,
          () => `${account_id} ${plan.tier}`,
        )
      })
    })
}

const text = ({ removed, kept }: Deletion) =>
  textTable(
    ['table', 'removed', 'kept'],
    [...new Set([...Object.keys(removed), ...Object.keys(kept)])].map((table) => [
      table,
      removed[table] ?? 0,
      kept[table] ?? 0,
    ]),
  )

/** `holdshort accounts delete`: removes all personal data of an account; without --yes it only prints what it would remove. */
const addDelete = (accounts: Command): Command =>
  addWork(accounts, 'delete', async (state, owner, flags: DataFlags & { yes?: boolean }) => {
    if (flags.yes) {
      const dependencies = { settings: settingsFor(flags), state }
      await closeCheckout(dependencies, owner.account_id)
      await deleteCustomer(dependencies, owner.account_id)
    }
    const work = flags.yes ? deleteAccount : tryDeletion
    const deletion = await work(state, owner, OPERATOR, Date.now())
    print({ done: flags.yes === true, ...deletion }, flags.json, () => text(deletion))
    if (flags.yes) return
    printError(`nothing was removed; add --yes to remove these rows of ${owner.account_id}`)
    process.exitCode = 2
  }).option('--yes', 'really remove it; otherwise only print what would be removed, with exit code 2')

/** The subcommands of `accounts`, in the order of the help. */
const SUBCOMMANDS: ((accounts: Command) => Command)[] = [
  addList,
  addGrant,
  addRevokeGrant,
  addSignInLink,
  addWithdrawReports,
  addExport,
  addDelete,
]

/** `holdshort accounts …`: manages accounts. A running server applies every change from the next request on. */
export function register(program: Command): void {
  const accounts = addCommand(program, 'accounts')
  for (const add of SUBCOMMANDS) add(accounts)
}
