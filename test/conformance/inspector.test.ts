import { expect, test } from 'vitest'
import { TOOLS } from '../../bin/service/registry.ts'
import { openHarness, temporaryFolder } from '../api/harness.ts'
import { INSTALLED, run } from './suites.ts'

/** Starts a server and returns a function that calls it by the Inspector's command line, with a key in the `Authorization` header. */
async function openInspector() {
  const { app, keys } = await openHarness()
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const folder = temporaryFolder()
  return async (method: string, ...options: string[]) => {
    const header = ['--header', `Authorization: Bearer ${keys.free.key}`]
    const args = [
      '--cli',
      `${address}/mcp`,
      '--transport',
      'http',
      ...header,
      '--format',
      'json',
      '--connect-timeout',
      '60000',
      '--method',
      method,
    ]
    const { code, stdout, stderr } = await run('inspector', [...args, ...options], folder)
    expect([code, stdout], stderr).toEqual([0, expect.stringMatching(/^\{/)])
    return { result: JSON.parse(stdout).result, stderr }
  }
}

test.skipIf(!INSTALLED)(
  'MCP Inspector lists tools, calls one, reads a resource and gets a prompt, in the old and the new protocol',
  async () => {
    const inspect = await openInspector()
    const [listed, modern, called, resources, read, prompt] = await Promise.all([
      inspect('tools/list'),
      inspect('tools/list', '--protocol-era', 'modern', '--strict'),
      inspect('tools/call', '--tool-name', 'get_security_wait_estimate', '--tool-arg', 'iata=JFK'),
      inspect('resources/list'),
      inspect('resources/read', '--uri', 'holdshort://coverage', '--protocol-era', 'modern'),
      inspect('prompts/get', '--prompt-name', 'choose_airport', '--prompt-args', 'city=New York'),
    ])
    const names = TOOLS.map(({ name }) => name)
    for (const { result } of [listed, modern])
      expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(names)
    // --strict reports schemas that clients may fail on, and nothing where there are none.
    expect(modern.stderr).not.toMatch(/[1-9]\d* error/)
    expect(called.result.structuredContent).toMatchObject({
      airport: 'JFK',
      average_wait_minutes: 14,
      basis: 'measured',
    })
    expect(called.result.content[0].text).toContain('About 14 minutes at security of JFK now')
    expect(resources.result.resources).toContainEqual(
      expect.objectContaining({ uri: 'holdshort://coverage', mimeType: 'application/json' }),
    )
    expect(JSON.parse(read.result.contents[0].text)).toMatchObject({ simulated: false, airports: 6 })
    expect(prompt.result.messages[0].content.text).toContain('`compare_airports` with `{"airports":["JFK","LGA"]}`')
  },
  60_000,
)
