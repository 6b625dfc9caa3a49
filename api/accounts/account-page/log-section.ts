import { escaped, head, moment, table } from '../../site/pages/html.ts'
import type { AuditRow } from '../../state/tables.ts'
import { AUDIT_ACTIONS, type AuditAction, auditLogOf } from '../audit/audit-log.ts'
import type { AccountSection, SectionView } from './section.ts'

const SHOWN = 100

/** Shows what was done to the account, newest first. */
export const logSection: AccountSection = { id: 'log', title: 'What was done', html, actions: [] }

const ACTORS: Record<string, string> = {
  owner: 'you',
  stranger: 'someone',
  operator: 'the operator',
  client: 'a client',
  stripe: 'Stripe',
  service: 'the service',
}

async function html({ site, visitor }: SectionView): Promise<string> {
  const rows = await auditLogOf(site.dependencies.state.db, visitor.account_id, SHOWN)
  const heads = ['Time', 'What', 'Who'].map((text) => head(text))
  return `<p>Times are UTC. If there is something that you do not recognise, change your password and sign out everywhere.</p>
${table('What was done', heads, rows.map(row))}`
}

function row({ at, action, actor, source, detail }: AuditRow): string {
  const what = AUDIT_ACTIONS[action as AuditAction] ?? action
  const about = Object.entries(JSON.parse(detail) as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
  return `<tr><td>${moment(at)}</td><td>${escaped(what)}<span>${escaped(about.join(', '))}</span></td>
<td>${escaped(ACTORS[actor] ?? actor)}<span>${escaped(source ?? '')}</span></td></tr>`
}
