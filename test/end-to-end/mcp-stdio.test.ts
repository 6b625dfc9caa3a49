import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client as Client2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, onTestFinished, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { dataPaths } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { writeSnapshot } from '../../warehouse/publishing/snapshot/write.ts'
import { NOW } from '../api/example-snapshot.ts'
import { openHarness } from '../api/harness.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyContent } from '../warehouse/snapshot-content.ts'
import { run } from './commands.ts'

const COMMAND = projectFile('dist', 'bin', 'holdshort.js')
const client = { name: 'desk', version: '1.0.0' }

const processOf = (args: string[], env: Record<string, string>) => ({
  command: process.execPath,
  args: [COMMAND, 'mcp', ...args],
  env,
  stderr: 'ignore' as const,
})

/** The two clients with a server of their own, started as a host starts it. */
const BOTH_CLIENTS = {
  'SDK 1': async (...started: Parameters<typeof processOf>) => {
    const one = new Client1(client)
    await one.connect(new Stdio1(processOf(...started)))
    return one
  },
  'SDK 2': async (...started: Parameters<typeof processOf>) => {
    const two = new Client2(client, { versionNegotiation: { mode: 'auto' } })
    await two.connect(new Stdio2(processOf(...started)))
    return two
  },
}
const CLIENTS = EXHAUSTIVE ? (['SDK 1', 'SDK 2'] as const) : (['SDK 2'] as const)

async function connect(name: keyof typeof BOTH_CLIENTS, ...started: Parameters<typeof processOf>) {
  const connected = await BOTH_CLIENTS[name](...started)
  onTestFinished(() => connected.close())
  return {
    tools: () => connected.listTools(),
    call: (tool: string, input: Record<string, unknown>) => connected.callTool({ name: tool, arguments: input }),
  }
}

/** A service with the clock of the example, and its address. */
async function openService() {
  const harness = await openHarness({ HOLDSHORT_SITE_URL: 'http://localhost' })
  const site = await harness.app.listen({ port: 0, host: '127.0.0.1' })
  harness.controls.now = NOW
  return { site, keys: harness.keys }
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text

test.each(CLIENTS)('%s on standard input reads the data folder of this machine', async (sdk) => {
  const data_dir = await temporaryFolder()
  await writeSnapshot(dataPaths(data_dir).snapshots, emptyContent(isoUtc(Date.now())))
  const { tools, call } = await connect(sdk, ['--data-dir', data_dir], {})
  expect((await tools()).tools).toHaveLength(22)
  expect(textOf(await call('search_airports', { query: 'heathrow' }))).toMatch(/^LHR /)
  expect(textOf(await call('get_airport_delays_summary', { iata: 'JFK' }))).toContain(
    'The FAA lists no delay at JFK now',
  )
  const report = await call('submit_wait_time_report', { iata: 'JFK', queue: 'security', wait_minutes: 5 })
  expect(textOf(report)).toMatch(/^WRITING_NOT_ALLOWED/)
})

interface Snippet {
  command: string
  args: string[]
  env: Record<string, string>
}
/** The settings of hosts in the manual: the name of the part with its servers is that of the host. */
const SNIPPETS = [...readFileSync(projectFile('docs', 'use', 'mcp.md'), 'utf8').matchAll(/```json\n(.*?)```/gs)].map(
  ([, snippet]) => Object.entries(JSON.parse(snippet!) as Record<string, { holdshort: Snippet }>)[0]!,
)

test('the manual has the same settings for Claude Desktop and Cursor, for VS Code and for Zed', () => {
  expect(SNIPPETS.map(([part]) => part)).toEqual(['mcpServers', 'servers', 'context_servers'])
  // npx runs the command of the package; the next test runs the one that was built.
  const args = [packageFile.name, 'mcp', '--service', 'https://waits.example.net']
  for (const [part, { holdshort }] of SNIPPETS)
    expect(holdshort, part).toMatchObject({ command: 'npx', args, env: { HOLDSHORT_KEY: expect.any(String) } })
})

test.each(CLIENTS)('%s on standard input, set as the manual says, is answered by a service', async (sdk) => {
  const { site, keys } = await openService()
  const { tools, call } = await connect(sdk, ['--service', site], { HOLDSHORT_KEY: keys.enterprise.key })
  expect((await tools()).tools).toHaveLength(22)
  expect(textOf(await call('get_security_wait_estimate', { iata: 'JFK' }))).toContain('14 min')
  const refused = await call('get_security_wait_estimate', { iata: 'QQQ' })
  expect(textOf(refused)).toMatch(/^AIRPORT_NOT_FOUND/)
})

test.each(CLIENTS)('%s on standard input is told how long to wait after too many calls', async (sdk) => {
  const { site, keys } = await openService()
  const { call } = await connect(sdk, ['--service', site], { HOLDSHORT_KEY: keys.free.key })
  const calls = Array.from({ length: 31 }, () => call('get_airport_delays_summary', { iata: 'JFK' }))
  const refused = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')
  expect(String((refused[0] as PromiseRejectedResult).reason)).toMatch(
    /rate_limited: more than 30 requests in a minute; wait \d+ s/,
  )
})

test('what was asked before the input ended is answered, however long it takes', async () => {
  const data_dir = await temporaryFolder()
  const { snapshots, live_socket } = dataPaths(data_dir)
  await writeSnapshot(snapshots, emptyContent(isoUtc(Date.now())))
  // A pipeline that takes its time.
  const pipeline = createServer((request, reply) => {
    request.resume()
    setTimeout(() => reply.writeHead(500).end(), 500)
  })
  pipeline.listen(live_socket)
  onTestFinished(() => void pipeline.close())
  const child = spawn(process.execPath, [COMMAND, 'mcp', '--data-dir', data_dir], { stdio: ['pipe', 'pipe', 'ignore'] })
  const rpc = (method: string, id: number, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  child.stdin.end(
    rpc('initialize', 1, { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: client }) +
      rpc('tools/call', 2, { name: 'get_live_wait_time', arguments: { iata: 'JFK' } }),
  )
  const answers = (await text(child.stdout)).trim().split('\n')
  expect(answers.map((line) => JSON.parse(line).id)).toEqual([1, 2])
})

test('an address of which a part cannot be used is refused, without its password', async () => {
  for (const address of [
    'https://ada:secret@waits.example.net',
    'https://waits.example.net/docs',
    'ftp://waits.example.net',
  ]) {
    const { code, stderr } = await run('mcp', '--service', address)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^USAGE: --service: must be like https:\S+[,:] /)])
    expect(stderr).not.toContain('secret')
  }
})

test('without a service the command says in one line what to do', async () => {
  const { code, stderr, stdout } = await run('mcp', '--data-dir', await temporaryFolder())
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 })
  expect(stderr).toMatch(/nothing published\. Start a service with .* or name one: HOLDSHORT_KEY=/)
  const keyless = await run('mcp', '--service', 'https://waits.example.net')
  expect(keyless.stderr).toContain('HOLDSHORT_KEY: is not set')
})
