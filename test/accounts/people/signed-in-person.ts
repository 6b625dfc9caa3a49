import { randomUUID } from 'node:crypto'
import { startSession } from '../../../accounts/people/sessions.ts'
import type { Tier } from '../../../config/vocabulary.ts'
import type { Harness } from '../../api/harness.ts'
import { insertRow } from '../../api/state/insert-row.ts'

/** Inserts a person with an account of a tier (or on an existing account) and a session, without using the pages. */
export async function createSignedInPerson(
  harness: Harness,
  { tier = 'free', account_id = '' }: { tier?: Tier; account_id?: string } = {},
) {
  const { app, state, controls } = harness
  const created_at = new Date(controls.now).toISOString()
  const account = account_id || `acct_${randomUUID()}`
  if (!account_id) await insertRow(state, 'accounts', { id: account, created_at, tier })
  const person_id = `person_${randomUUID()}`
  const email = `${person_id}@example.org`
  await insertRow(state, 'people', { id: person_id, account_id: account, email, created_at })
  const { cookie } = await startSession(state, person_id, { source: '192.0.2.1', user_agent: 'test' }, controls.now)
  return { person_id, account_id: account, email, ...formBrowser(app, new Map([['hs_session', cookie]])) }
}
export type SignedInPerson = Awaited<ReturnType<typeof createSignedInPerson>>

/** A browser without scripts: stores cookies and sends forms with their CSRF tokens. */
export function formBrowser(app: Harness['app'], cookies = new Map<string, string>(), remoteAddress = '127.0.0.1') {
  const send = async (method: 'GET' | 'POST', url: string, fields?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const type = fields ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const payload = fields ? { payload: new URLSearchParams(fields).toString() } : {}
    const answer = await app.inject({ method, url, headers: { cookie, ...type }, remoteAddress, ...payload })
    for (const { name, value } of answer.cookies) {
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  const get = (url: string) => send('GET', url)
  return {
    cookies,
    get,
    /** Posts a form with the CSRF token of the page `from`, which is loaded first. */
    async post(url: string, fields: Record<string, string>, from = url) {
      const page = await get(from)
      const token = /name="_csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
      return send('POST', url, { _csrf: token, ...fields })
    },
  }
}
