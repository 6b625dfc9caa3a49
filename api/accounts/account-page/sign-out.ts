import type { FastifyInstance } from 'fastify'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { endAllSessions, endSession } from '../people/sessions.ts'
import { forgetSession, mustBeSignedIn } from '../people/visitor.ts'
import type { AccountSite } from './site.ts'

/** Signs this browser out, or all of the person's; either is effective on the next request. */
export function addSignOut(pages: FastifyInstance, { dependencies, site_url, now }: AccountSite): void {
  const { db } = dependencies.state
  for (const path of ['/sign-out', '/sign-out/everywhere'])
    pages.post(path, { schema: { hide: true }, onRequest: mustBeSignedIn }, async (request, reply) => {
      const { session, person_id, account_id } = request.visitor!
      const by = { actor: 'owner', source: request.ip } as const
      await db.transaction().execute(async (transaction) => {
        if (path === '/sign-out') await endSession({ db: transaction }, session)
        else await endAllSessions({ db: transaction }, person_id)
        await recordAuditEntry(
          transaction,
          account_id,
          path === '/sign-out' ? 'signed_out' : 'signed_out_everywhere',
          by,
          now(),
        )
      })
      forgetSession(reply, site_url)
      return reply.redirect('/sign-in', 303)
    })
}
