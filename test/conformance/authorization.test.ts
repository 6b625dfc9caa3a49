import { expect, test } from 'vitest'
import { authorize, openOauthAtPort, register } from '../accounts/oauth/flow.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { temporaryFolder } from '../api/harness.ts'
import { freePort } from '../free-port.ts'
import { INSTALLED, outcomesIn, run } from './suites.ts'

test.skipIf(!INSTALLED)(
  'the suite’s client gets a token and accepts every answer of the authorization server',
  async () => {
    const { harness, address } = await openOauthAtPort()
    const person = await createSignedInPerson(harness)
    const port = await freePort()
    const client_id = await register(harness, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
    // The client prints the address that a person must open; the person approves at once and is redirected to the client.
    let output = ''
    const approve = async (text: string) => {
      output += text
      const [url] = output.match(/http:\/\/\S+\/authorize\?\S+(?=\n)/) ?? []
      if (!url) return
      output = ''
      const { pathname, search } = new URL(url)
      await fetch(await authorize(person, pathname + search))
    }
    const folder = temporaryFolder()
    const args = ['authorization', '--url', address, '--client-id', client_id, '--resource', `${address}/mcp`]
    const { stdout } = await run('suite 0.2', [...args, '-p', String(port), '-o', folder], folder, approve)
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
