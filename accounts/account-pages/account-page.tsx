import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import type { AuditRow } from '../../api/state/tables.ts'
import { HoldshortError } from '../../config/errors.ts'
import { Moment, noted, Table } from '../../site/pages/elements.tsx'
import { postedTexts } from '../../site/pages/fields.tsx'
import { ButtonForm, Form, sendPage } from '../../site/pages/frame.tsx'
import { type RefusedForm, refusedForm } from '../../site/pages/refused-form.tsx'
import { AUDIT_ACTIONS, type AuditAction, auditLogOf, recordAuditEntry } from '../audit/audit-log.ts'
import { browserName } from '../people/browser-name.ts'
import { listActiveSessions } from '../people/sessions.ts'
import { ownerActor, rememberDevice, requireSignIn } from '../people/signed-in.ts'
import type { AccountContext, AccountSection, ActionInput, SectionView } from './account-section.tsx'
import { exportAndDeleteSection } from './export-and-delete-section.tsx'
import { passkeysSection } from './passkeys-section.tsx'
import { passwordSection } from './password-section.tsx'

const browsersSection: AccountSection = {
  id: 'browsers',
  title: 'Signed in',
  render: renderBrowsers,
  actions: [
    {
      path: '/account/browsers/end',
      fields: ['session'],
      done: 'The browser is signed out.',
      run: endSessionOfBrowser,
    },
  ],
}

const auditSection: AccountSection = { id: 'log', title: 'Account log', render: renderAudit, actions: [] }

/** The sections of the account page, in this order. A new one is a file and a line here. */
const SECTIONS: AccountSection[] = [
  passwordSection,
  passkeysSection,
  browsersSection,
  auditSection,
  exportAndDeleteSection,
]

/** Adds `/account`, where an owner sees and changes how the account is signed in to, and the forms of its sections. */
export function addAccountPage(pages: FastifyInstance, context: AccountContext): void {
  pages.get('/account', { onRequest: requireSignIn }, (request, reply) => accountPage(request, reply, context))
  for (const section of SECTIONS)
    for (const { path, fields, proofField, run } of section.actions)
      pages.post(path, { onRequest: requireSignIn }, async (request, reply) => {
        try {
          const answer = await run({
            context,
            visitor: request.visitor!,
            posted: postedTexts(request.body, fields),
            by: ownerActor(request),
            from: { address: request.ip, now: context.now() },
          })
          if (answer) return answer(request, reply)
          // A new password ends the device cookies of the old one.
          const { person_id } = request.visitor!
          await rememberDevice(reply, context.dependencies.state, context.site_url, person_id, context.now())
          return reply.redirect(`/account?done=${doneName(path)}`, 303)
        } catch (error) {
          const isProofWrong = error instanceof HoldshortError && error.code === 'SIGN_IN_FAILED'
          const field = isProofWrong && hasField(request.body, proofField) ? proofField : undefined
          return accountPage(request, reply, context, { section, form: refusedForm(error, reply, field) })
        }
      })
}

/** Whether a form was sent with a field: that of the password is missing for a person who has only passkeys. */
const hasField = (body: unknown, name: string | undefined) =>
  name !== undefined && typeof body === 'object' && body !== null && name in body

/** The value of `?done=` after an action. */
const doneName = (path: string) => path.slice(1).replaceAll('/', '-')

const DONE_TEXTS = new Map(
  SECTIONS.flatMap(({ actions }) => actions.map(({ path, done }) => [doneName(path), done] as const)),
)

async function accountPage(
  request: FastifyRequest,
  reply: FastifyReply,
  context: AccountContext,
  refused?: { section: AccountSection; form: RefusedForm },
): Promise<FastifyReply> {
  const visitor = request.visitor!
  const sections: ComponentChildren[] = []
  for (const section of SECTIONS) {
    const form = refused?.section === section ? refused.form : undefined
    sections.push(
      <section id={section.id}>
        <h2>{section.title}</h2>
        {form?.warning}
        {await section.render({ context, visitor, faults: form?.faults ?? {} })}
      </section>,
    )
  }
  const done = refused ? undefined : DONE_TEXTS.get(String((request.query as Record<string, unknown>)['done']))
  const body = (
    <>
      {done !== undefined && (
        <p role="status">
          <strong class="live">{done}</strong>
        </p>
      )}
      <p>
        You are signed in as <strong>{visitor.email}</strong>.
      </p>
      {sections}
    </>
  )
  return sendPage(request, reply, {
    title: 'Account',
    description: 'Your Holdshort account.',
    body,
    status: refused?.form.status ?? 200,
    scripts: context.party ? ['passkey'] : [],
  })
}

async function renderBrowsers({ context, visitor }: SectionView) {
  const sessions = await listActiveSessions(context.dependencies.state, visitor.person_id, context.now())
  return (
    <>
      <Table
        label="Browsers that are signed in"
        columns={['Browser', 'Since', 'Sign out']}
        namesRows={false}
        narrow="stack"
        rows={sessions.map(({ hash, user_agent, source, created_at, seen_at }) => {
          const name = browserName(user_agent)
          return [
            noted(name, source),
            noted(<Moment instant={created_at} />, ['seen ', <Moment instant={seen_at} />]),
            hash === visitor.session ? (
              'This browser'
            ) : (
              <ButtonForm
                action="/account/browsers/end"
                field={{ session: hash }}
                label={`Sign out ${name}, ${source}`}
                text="Sign out"
              />
            ),
          ]
        })}
      />
      <ButtonForm action="/sign-out" text="Sign out here" />
      <Form action="/sign-out/everywhere">
        <button class="danger">Sign out everywhere</button>
        <p>
          Signs out every browser and disconnects every MCP client; the <a href="/dashboard#clients">dashboard</a>{' '}
          disconnects one. API keys stay valid until you revoke them.
        </p>
      </Form>
    </>
  )
}

async function endSessionOfBrowser({ context, visitor, posted, by, from }: ActionInput): Promise<void> {
  await context.dependencies.state.db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom('sessions')
      .where('hash', '=', posted['session'] ?? '')
      .where('person_id', '=', visitor.person_id)
      .returning(['user_agent', 'source'])
      .executeTakeFirst()
    if (!ended) throw new HoldshortError('CONFLICT', 'this browser is already signed out')
    const detail = { browser: browserName(ended.user_agent), address: ended.source }
    await recordAuditEntry(transaction, visitor.account_id, 'signed_out', by, from.now, detail)
  })
}

const MAX_AUDIT_ROWS = 100

const ACTORS: Record<string, string> = {
  owner: 'you',
  stranger: 'someone',
  operator: 'the operator',
  client: 'a client',
  stripe: 'Stripe',
  service: 'the service',
}

async function renderAudit({ context, visitor }: SectionView) {
  const rows = await auditLogOf(context.dependencies.state.db, visitor.account_id, MAX_AUDIT_ROWS)
  return (
    <>
      <p>
        Times are UTC. If you do not recognise an entry, change your password, remove passkeys that are not yours and
        sign out everywhere.
      </p>
      {rows.length === 0 ? <p class="quiet">Nothing has happened yet.</p> : <Log rows={rows} />}
    </>
  )
}

const Log = ({ rows }: { rows: readonly AuditRow[] }) => (
  <Table
    label="Account log"
    columns={['Time', 'What', 'Who']}
    namesRows={false}
    rows={rows.map((row) => [
      <Moment instant={row.at} />,
      noted(AUDIT_ACTIONS[row.action as AuditAction] ?? row.action, auditDetail(row)),
      noted(ACTORS[row.actor] ?? row.actor, row.source),
    ])}
  />
)

const auditDetail = ({ detail }: AuditRow) =>
  Object.entries(JSON.parse(detail) as Record<string, unknown>)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${value}`)
    .join(', ')
