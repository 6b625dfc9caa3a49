import { expect, test } from 'vitest'
import { authorize, openOauthAtPort, register } from '../api/accounts/oauth/flow.ts'
import { createSignedInPerson } from '../api/accounts/people/signed-in-person.ts'
import { temporaryFolder } from '../api/harness.ts'
import { freePort } from '../free-port.ts'
import { INSTALLED, outcomesIn, run } from './suites.ts'

test.skipIf(!INSTALLED)(
  'the suite’s own client goes the way to a token, and finds every answer right',
  async () => {
    const { harness, address } = await openOauthAtPort()
    const person = await createSignedInPerson(harness)
    const port = await freePort()
    const client_id = await register(harness, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
    // It prints the address that a person is to open; this one approves at once, and her browser goes back to the client.
    let told = ''
    const approve = async (text: string) => {
      told += text
      const [url] = told.match(/http:\/\/\S+\/authorize\?\S+(?=\n)/) ?? []
      if (!url) return
      told = ''
      const { pathname, search } = new URL(url)
      await fetch(await authorize(person, pathname + search))
    }
    const folder = temporaryFolder()
    const words = ['authorization', '--url', address, '--client-id', client_id, '--resource', `${address}/mcp`]
    const { stdout } = await run('suite 0.2', [...words, '-p', String(port), '-o', folder], folder, approve)
    expect(outcomesIn(folder, 'authorization-server'), stdout).toEqual([
      { scenario: 'authorization-code-grant', met: ['authorization-code-grant'], unmet: [], malformed: false },
      {
        scenario: 'authorization-server-metadata-endpoint',
        met: ['authorization-server-metadata', 'authorization-server-metadata-cimd'],
        unmet: [],
        malformed: false,
      },
    ])
  },
  60_000,
)
