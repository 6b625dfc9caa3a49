import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { postedTexts } from '../../site/pages/field.ts'
import { type FormFault, formFault } from '../../site/pages/form-fault.ts'
import { sendPage } from '../../site/pages/frame.ts'
import { escaped } from '../../site/pages/html.ts'
import { requireSignIn } from '../people/signed-in.ts'
import { browsersSection } from './browsers-section.ts'
import { connectionsSection } from './connections-section.ts'
import { leavingSection } from './leaving-section.ts'
import { logSection } from './log-section.ts'
import { passkeysSection } from './passkeys-section.ts'
import { passwordSection } from './password-section.ts'
import type { AccountSection } from './section.ts'
import type { AccountSite } from './site.ts'

/** What the account page shows, in this order. A new one is a file and a line here. */
const SECTIONS: AccountSection[] = [
  passwordSection,
  passkeysSection,
  browsersSection,
  connectionsSection,
  logSection,
  leavingSection,
]

/** `/account`: all that an account's owner can see and change of how it is signed in to, and what was done to it. */
export function addAccountPage(pages: FastifyInstance, site: AccountSite): void {
  pages.get('/account', { schema: { hide: true }, onRequest: requireSignIn }, (request, reply) =>
    accountPage(request, reply, site),
  )
  for (const section of SECTIONS)
    for (const { path, fields, blamed, run } of section.actions)
      pages.post(path, { schema: { hide: true }, onRequest: requireSignIn }, async (request, reply) => {
        try {
          const by = { actor: 'owner', source: request.ip } as const
          const posted = postedTexts(request.body, fields)
          const answer = await run({
            site,
            visitor: request.visitor!,
            posted,
            by,
            from: { address: request.ip, now: site.now() },
          })
          if (answer) return answer(request, reply)
          return reply.redirect(`/account?done=${path.slice(1).replaceAll('/', '-')}`, 303)
        } catch (error) {
          return accountPage(request, reply, site, { section, fault: formFault(error, reply, blamed) })
        }
      })
}

const DONE = new Map(
  SECTIONS.flatMap(({ actions }) =>
    actions.map(({ path, done }) => [path.slice(1).replaceAll('/', '-'), done] as const),
  ),
)

async function accountPage(
  request: FastifyRequest,
  reply: FastifyReply,
  site: AccountSite,
  refused?: { section: AccountSection; fault: FormFault },
): Promise<FastifyReply> {
  const visitor = request.visitor!
  const parts: string[] = []
  for (const section of SECTIONS) {
    const fault = refused?.section === section ? refused.fault : undefined
    const view = { request, reply, site, visitor, faults: fault?.faults ?? {} }
    const { id, title } = section
    parts.push(`<section id="${id}">
<h2>${title}</h2>
${fault?.html ?? ''}
${await section.html(view)}
</section>`)
  }
  const done = refused ? undefined : DONE.get(String((request.query as Record<string, unknown>)['done']))
  const body = `${done === undefined ? '' : `<p role="status"><strong class="live">${done}</strong></p>`}
<p>You are signed in as <strong>${escaped(visitor.email)}</strong>.</p>
${parts.join('\n')}`
  return sendPage(request, reply, {
    title: 'Account',
    description: 'Your Holdshort account.',
    body,
    status: refused?.fault.status ?? 200,
    scripts: site.party ? ['passkey'] : [],
  })
}
