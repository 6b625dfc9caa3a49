import { HoldshortError } from '../../../config/errors.ts'
import { form } from '../../site/pages/frame.ts'
import { escaped, head, moment, table } from '../../site/pages/html.ts'
import type { SessionRow } from '../../state/tables.ts'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { browserName } from '../people/browser-name.ts'
import { liveSessionsOf } from '../people/sessions.ts'
import type { AccountSection, ActionOrder, SectionView } from './section.ts'

/** Lists the browsers that are signed in, and signs one of them out, this one or all. */
export const browsersSection: AccountSection = {
  id: 'browsers',
  title: 'Signed in',
  html,
  actions: [{ path: '/account/browsers/end', fields: ['session'], done: 'The browser is signed out.', run: end }],
}

async function html({ request, reply, site, visitor }: SectionView): Promise<string> {
  const sessions = await liveSessionsOf(site.dependencies.state, visitor.person_id, site.now())
  const row = ({ hash, user_agent, source, created_at, seen_at }: SessionRow) => {
    const name = browserName(user_agent)
    const hidden = `<input type="hidden" name="session" value="${escaped(hash)}">`
    const label = `Sign out ${name}, ${source}`
    const button = `<button class="second" aria-label="${escaped(label)}">Sign out</button>`
    const ending =
      hash === visitor.session ? 'This one' : form(request, reply, '/account/browsers/end', hidden + button)
    return `<tr><td>${escaped(name)}<span>${escaped(source)}</span></td>
<td>${moment(created_at)}<span>seen ${moment(seen_at)}</span></td><td>${ending}</td></tr>`
  }
  const heads = ['Browser', 'Since', 'Sign out'].map((text) => head(text))
  return `${table('Browsers that are signed in', heads, sessions.map(row))}
${form(request, reply, '/sign-out', '<button class="second">Sign out here</button>')}
${form(request, reply, '/sign-out/everywhere', '<button class="danger">Sign out everywhere</button>')}`
}

async function end({ site, visitor, posted, by, from }: ActionOrder): Promise<void> {
  await site.dependencies.state.db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom('sessions')
      .where('hash', '=', posted['session'] ?? '')
      .where('person_id', '=', visitor.person_id)
      .returning(['user_agent', 'source'])
      .executeTakeFirst()
    if (!ended) throw new HoldshortError('CONFLICT', 'this browser is signed out already')
    const detail = { browser: browserName(ended.user_agent), address: ended.source }
    await recordAuditEntry(transaction, visitor.account_id, 'signed_out', by, from.now, detail)
  })
}
