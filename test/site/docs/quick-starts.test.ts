import { execFile, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lexer, type Token, type Tokens } from 'marked'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Addresses } from '../../../config/addresses.ts'
import { anchorOf } from '../../../site/docs/doc-page.ts'
import { quickStarts } from '../../../site/docs/guide-pages.tsx'
import { shareHarness, temporaryFolder } from '../../api/harness.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'

const harness = shareHarness()
const { keys } = harness

const run = promisify(execFile)

/** The listings of the page by the anchor of their heading. */
function listingsOf(addresses: Addresses): Map<string, string[]> {
  const listings = new Map<string, string[]>()
  const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading' && token['depth'] === 2
  for (const token of lexer(quickStarts(addresses)))
    if (isHeading(token)) listings.set(anchorOf(token.text), [])
    else if (token.type === 'code') [...listings.values()].at(-1)?.push((token as Tokens.Code).text)
  return listings
}

const listingOf = (id: string, place = 0, addresses: Addresses = urls) => listingsOf(addresses).get(id)![place]!

const server = z.literal('https://h.example/mcp')
const headers = (key: RegExp) => z.strictObject({ Authorization: z.string().regex(key) })

test('the configurations of Cursor and VS Code have the published formats of these clients', () => {
  // https://cursor.com/docs/mcp: a remote server has a `url` and `headers`; `${env:NAME}` is replaced in both.
  z.strictObject({
    mcpServers: z.strictObject({
      holdshort: z.strictObject({ url: server, headers: headers(/^Bearer \$\{env:[A-Z_]+\}$/) }),
    }),
  }).parse(JSON.parse(listingOf('cursor')))
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration: inputs of type promptString, servers of type http.
  const { inputs } = z
    .strictObject({
      inputs: z
        .array(
          z.strictObject({
            type: z.literal('promptString'),
            id: z.string().regex(/^[a-z-]+$/),
            description: z.string().min(1),
            password: z.literal(true),
          }),
        )
        .length(1),
      servers: z.strictObject({
        holdshort: z.strictObject({
          type: z.literal('http'),
          url: server,
          headers: headers(/^Bearer \$\{input:holdshort-key\}$/),
        }),
      }),
    })
    .parse(JSON.parse(listingOf('vs-code')))
  expect(inputs[0]!.id).toBe('holdshort-key')
})

test('Claude and ChatGPT get the address of the server, and Claude Code its own command', () => {
  for (const id of ['claude', 'chatgpt']) expect(listingOf(id)).toBe('https://h.example/mcp')
  // https://code.claude.com/docs/en/mcp: claude mcp add --transport http <name> <url> [--header "Name: value"]
  const commands = listingOf('claude', 1)
    .split('\n')
    .filter((line) => !line.startsWith('#'))
  expect(commands).toHaveLength(2)
  for (const command of commands)
    expect(command).toMatch(
      /^claude mcp add --transport http holdshort https:\/\/h\.example\/mcp( --header "Authorization: Bearer \$HOLDSHORT_KEY")?$/,
    )
})

/** Whether a program runs on this machine. */
const isThere = (program: string, ...parameters: string[]) => spawnSync(program, parameters).status === 0

let address: Promise<string> | undefined
/** The address of the app, which begins to listen at the first call. */
const served = () => {
  address ??= harness.app.listen({ host: '127.0.0.1', port: 0 })
  return address
}

test.runIf(EXHAUSTIVE && isThere('Rscript', '-e', 'library(httr2); library(jsonlite)'))(
  'the listing for R works as pasted, and shows the detail of an error',
  async () => {
    const address = await served()
    const text = listingOf('r', 0, { ...urls, base_url: `${address}/api/v1` })
    const script = `${text}\ncat(delays$status, nrow(history), class(history$mean), "\\n")`
    const as = (HOLDSHORT_KEY: string) => run('Rscript', ['-e', script], { env: { ...process.env, HOLDSHORT_KEY } })
    expect((await as(keys.enterprise.key)).stdout).toMatch(/ground_delay 9\d integer/)
    await expect(as(keys.free.key)).rejects.toThrow(/needs? .*Pro/)
  },
  60_000,
)
const urls = {
  site_url: 'https://h.example',
  base_url: 'https://h.example/api/v1',
  mcp_url: 'https://h.example',
  auth_url: 'https://h.example',
}

test('there is a beginning for each language and client', () => {
  expect([...listingsOf(urls).keys()]).toEqual([
    'key',
    'curl',
    'typescript',
    'python',
    'r',
    'claude',
    'chatgpt',
    'cursor',
    'vs-code',
    'home-assistant',
  ])
})

test.runIf(EXHAUSTIVE && existsSync('/usr/bin/curl'))(
  'the listings for curl, TypeScript and Python work as pasted',
  async () => {
    const address = await served()
    const here = { site_url: address, base_url: `${address}/api/v1`, mcp_url: address, auth_url: address }
    const { stdout: printed } = await run('sh', ['-c', listingOf('key', 0, here)])
    const HOLDSHORT_KEY = printed.trim()
    expect(HOLDSHORT_KEY).toMatch(/^hs_agent_[0-9A-Za-z]{36}$/)
    const env = { ...process.env, HOLDSHORT_KEY }
    const answer = JSON.parse((await run('sh', ['-c', listingOf('curl', 0, here)], { env })).stdout)
    expect(answer).toMatchObject({ airport: 'JFK', status: 'ground_delay', source: 'faa-nas' })
    const script = join(temporaryFolder(), 'delays.mjs')
    writeFileSync(script, listingOf('typescript', 0, here))
    const expected = `JFK: ground_delay. ${answer.summary} (faa-nas, `
    expect((await run(process.execPath, [script], { env })).stdout).toContain(expected)
    await expect(run(process.execPath, [script], { env: { ...env, HOLDSHORT_KEY: 'no' } })).rejects.toThrow(
      /INVALID_API_KEY/,
    )
    const python = await run('python3', ['--version']).then(
      () => true,
      () => false,
    )
    if (python) expect((await run('python3', ['-c', listingOf('python', 0, here)], { env })).stdout).toContain(expected)
  },
  30_000,
)
