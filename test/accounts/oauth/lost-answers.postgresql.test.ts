import type { LightMyRequestResponse } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { startCluster } from '../../api/state/cluster.ts'
import { startCuttingProxy } from '../../shared-store/cutting-proxy.ts'
import { createSignedInPerson } from '../people/signed-in-person.ts'
import {
  authorizeUrl,
  begin,
  CALLBACK,
  challengeOf,
  decide,
  locationOf,
  openConnected,
  openOauth,
  postForm,
  refresh,
  register,
  SITE,
  verifier,
} from './flow.ts'

test('whichever answer of the database is lost, a client hears when to come again and a refresh is answered then', async () => {
  const cluster = await startCluster({})
  onTestFinished(() => cluster.remove())
  const proxy = await startCuttingProxy(cluster.url('postgres'))
  onTestFinished(proxy.close)
  const harness = await openOauth({
    DATABASE_URL: proxy.url,
    HOLDSHORT_KEY_PEPPER: 'pepper of the lost answers',
    HOLDSHORT_CLIENT_REGISTRATIONS_PER_MINUTE: '10000',
    HOLDSHORT_CLIENT_REGISTRATIONS_PER_DAY: '10000',
  })
  const { app } = harness

  const flows = {
    refresh: async () => {
      const { client } = await openConnected(harness)
      return () => refresh(harness, client)
    },
    code: async () => {
      const person = await createSignedInPerson(harness)
      const client_id = await register(harness)
      const code_verifier = verifier()
      const page = await begin(person, authorizeUrl(client_id, { code_challenge: challengeOf(code_verifier) }))
      const code = locationOf(await person.get(await decide(person, page))).searchParams.get('code')
      const fields = { grant_type: 'authorization_code', client_id, code, redirect_uri: CALLBACK, code_verifier }
      return () => postForm(app, '/token', fields)
    },
    consent: async () => {
      const person = await createSignedInPerson(harness)
      const page = await begin(person, authorizeUrl(await register(harness)))
      const { pathname, search } = new URL(page, SITE)
      return () => person.get(pathname + search)
    },
    approval: async () => {
      const person = await createSignedInPerson(harness)
      const page = await begin(person, authorizeUrl(await register(harness)))
      const decided = await decide(person, page)
      return () => person.get(decided)
    },
  }
  const refused: string[] = []
  for (const [name, prepare] of Object.entries(flows)) {
    let isLost = true
    for (let number = 1; isLost; number += 1) {
      const send = await prepare()
      const answers: LightMyRequestResponse[] = []
      isLost = await proxy.without(number, async () => void answers.push(await send()))
      const answer = answers[0]!
      const where = `${name}, answer ${number}: ${answer.body}`
      if (!isLost) expect(answer.statusCode, where).toBeLessThan(400)
      else if (answer.statusCode >= 400) {
        expect([answer.statusCode, answer.headers['retry-after']], where).toEqual([503, '5'])
        if (name !== 'refresh') continue
        // Later than two processes of a client may use one token.
        harness.controls.now += 60_000
        const again = await send()
        if (again.statusCode !== 200) refused.push(`${where}; then ${again.body}`)
      }
    }
  }
  // Where the new token was stored and only that answer was lost, the old one has been used.
  expect(refused.length, refused.join('\n')).toBeLessThan(2)
}, 120_000)
