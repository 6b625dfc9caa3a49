import type { FastifyInstance } from 'fastify'
import { HoldshortError } from '../../config/errors.ts'
import { postedTexts } from '../../site/pages/fields.tsx'
import type { AddPages } from '../../site/pages/page-scope.tsx'
import { recordAuditEntry } from '../audit/audit-log.ts'
import { disconnectAll } from '../oauth/connections.ts'
import { creationOptions, requestOptions } from '../people/passkeys.ts'
import { endAllSessions, endSession } from '../people/sessions.ts'
import { clearSessionCookie, ownerActor, requireSignIn } from '../people/signed-in.ts'
import { addAccountPage } from './account-page.tsx'
import { type AccountContext, accountContext } from './account-section.tsx'
import { ownerOfFurtherPasskey } from './passkeys-section.tsx'
import { addSignInLink } from './sign-in-link-page.tsx'
import { addSignIn } from './sign-in-page.tsx'
import { addSignUp, ownerOfFirstPasskey } from './sign-up-page.tsx'

/** Adds the pages where people sign up, sign in and out, and manage their account. */
export const addAccountPages: AddPages = (pages, dependencies) => {
  const context = accountContext(dependencies)
  addSignUp(pages, context)
  addSignIn(pages, context)
  addSignInLink(pages, context)
  addSignOut(pages, context)
  addPasskeyOptions(pages, context)
  addAccountPage(pages, context)
}

/**
 * Signs out this browser, or everything that a person has signed in: all browsers and all connected clients. Both take effect
 * on the next request. People choose "everywhere" when somebody else may have got in, so nothing that was approved with a
 * sign-in stays; API keys do not come from a sign-in and are revoked one by one.
 */
function addSignOut(pages: FastifyInstance, { dependencies, site_url, now }: AccountContext): void {
  const { state } = dependencies
  for (const path of ['/sign-out', '/sign-out/everywhere'])
    pages.post(path, { onRequest: requireSignIn }, async (request, reply) => {
      const { session, person_id, account_id } = request.visitor!
      const by = ownerActor(request)
      if (path === '/sign-out')
        await state.db.transaction().execute(async (transaction) => {
          await endSession({ db: transaction }, session)
          await recordAuditEntry(transaction, account_id, 'signed_out', by, now())
        })
      else
        await state.changeAccess(async (transaction) => {
          await endAllSessions({ db: transaction }, person_id)
          await disconnectAll(transaction, account_id, by, now(), 'signed out everywhere')
          await recordAuditEntry(transaction, account_id, 'signed_out_everywhere', by, now())
        })
      clearSessionCookie(reply, site_url)
      return reply.redirect('/sign-in', 303)
    })
}

/**
 * Serves the WebAuthn options that our script needs to make or use a passkey. All that a new passkey needs is checked before the
 * device makes it.
 */
function addPasskeyOptions(pages: FastifyInstance, context: AccountContext): void {
  const { dependencies, party, now } = context
  const { state } = dependencies
  const requireParty = () => {
    if (!party) throw new HoldshortError('NOT_FOUND', 'passkeys need an https address, or http://localhost')
    return party
  }
  pages.post('/passkey/creation-options', async (request, reply) => {
    const site = requireParty()
    const posted = postedTexts(request.body, ['email', 'passkey_password', 'proof'])
    const owner = await (request.visitor
      ? ownerOfFurtherPasskey(context, request.visitor, posted, { address: request.ip, now: now() })
      : ownerOfFirstPasskey(context, request, posted.email))
    const options = await creationOptions(state.pepper, site, owner, now())
    return reply.header('cache-control', 'no-store').send(options)
  })
  pages.get('/passkey/request-options', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send(await requestOptions(state.pepper, requireParty(), now())),
  )
}
