import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { TOOLS } from '../../bin/service/registry.ts'
import { TIERS } from '../../config/tiers.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { type Harness, openHarness } from '../api/harness.ts'
import { legacy, messagesOf, post } from '../api/mcp/requests.ts'
import { EXHAUSTIVE } from '../exhaustive.ts'
import { readCases } from '../values.ts'

const SITE = 'https://holdshort.example'
const ENVIRONMENT = { HOLDSHORT_SITE_URL: SITE, HOLDSHORT_CONTACT: 'ops@airport.aero' }

/** Where people, crawlers and agents begin. */
const { starts: STARTS } = readCases<{ starts: string[] }>('site/addresses.json')

interface Link {
  method: string
  path: string
}

/** The addresses of this site in a document, with the method that the document names for each. */
function linksOf({ headers, body: markup }: LightMyRequestResponse, page: string): Link[] {
  // A page may show the code of an element with an address.
  const body = markup.replaceAll('&quot;', "'")
  const isPage = String(headers['content-type']).startsWith('text/html')
  const attributes = isPage
    ? [...body.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, url]) => ({ method: 'GET', url: url! }))
    : []
  const text = isPage ? body.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&') : body
  const absolute = [
    ...text.matchAll(/(?:\b(GET|POST|DELETE) |-X (POST|DELETE)[^\n]*?)?(https:\/\/holdshort\.example[^\s"'`<>)\\]*)/g),
  ]
  const inHeader = [...String(headers.link ?? '').matchAll(/<([^>]*)>/g)].map(([, url]) => ({
    method: 'GET',
    url: url!,
  }))
  return [
    ...attributes,
    ...inHeader,
    ...absolute.map(([, verb, flag, url]) => ({ method: verb ?? flag ?? 'GET', url: url!.replace(/[.,:;]+$/, '') })),
  ]
    .map(({ method, url }) => ({ method, url: new URL(url.replaceAll('&amp;', '&'), SITE + page) }))
    .filter(({ url }) => url.origin === SITE)
    .map(({ method, url }) => ({ method, path: decodeURI(url.pathname + url.search) }))
}

/** Addresses with a part that a reader fills in: {iata}, <id>, `?q=`. */
const isTemplate = ({ path }: Link) => /[{<]|=$/.test(path)

/** Fetches an address as a signed-in browser with an Enterprise key would. */
async function follow({ app, keys }: Harness, cookies: Record<string, string>, { path, method }: Link) {
  const withKey = /^\/(api\/|mcp$)/.test(path) ? { authorization: `Bearer ${keys.enterprise.key}` } : {}
  return app.inject({ method: method as 'GET', url: path, cookies, headers: { accept: '*/*', ...withKey } })
}

test.runIf(EXHAUSTIVE)('every link of every page, discovery document and llms.txt leads to something', async () => {
  const harness = await openHarness(ENVIRONMENT)
  const person = await createSignedInPerson(harness, { tier: 'pro' })
  const cookies = Object.fromEntries(person.cookies)
  const waiting: (Link & { from: string })[] = STARTS.map((path) => ({ method: 'GET', path, from: 'the start' }))
  const seen = new Set<string>()
  const broken: string[] = []
  for (let link = waiting.shift(); link; link = waiting.shift()) {
    const name = `${link.method} ${link.path}`
    if (seen.has(name) || isTemplate(link)) continue
    seen.add(name)
    harness.controls.now += 1_000
    const answer = await follow(harness, cookies, link)
    const { statusCode, headers, body } = answer
    // An endpoint of a protocol, which answers to a message: it needs POST, or parameters.
    const isEndpoint = (statusCode === 405 && String(headers.allow).includes('POST')) || link.path === '/authorize'
    const isCall = link.method !== 'GET' && statusCode < 500 && !body.includes('there is nothing at')
    const isThere = statusCode < 400 || isCall || isEndpoint
    if (!isThere) broken.push(`${name} from ${link.from}: ${statusCode}`)
    if (link.method === 'GET' && statusCode === 200)
      waiting.push(...linksOf(answer, link.path).map((found) => ({ ...found, from: link!.path })))
  }
  expect(broken).toEqual([])
  expect(seen.size).toBeGreaterThan(40)
  for (const path of ['/plans', '/status', '/.well-known/mcp/tools.json', '/mcp'])
    expect([...seen], path).toContain(`GET ${path}`)
})

test('the public listing has every tool as the server lists it, with its tier and what a call costs', async () => {
  for (const [open, listing] of [
    ['false', 'credential'],
    ['true', 'open'],
  ]) {
    const { call } = await openHarness({ ...ENVIRONMENT, HOLDSHORT_MCP_OPEN_LISTING: open! })
    const document = (await call(null, '/.well-known/mcp/tools.json')).json()
    expect(document).toMatchObject({
      server: { name: 'holdshort' },
      endpoint: `${SITE}/mcp`,
      authorization: { listing, calls: 'credential' },
      tiers: { pro: { price_usd_per_month: TIERS.pro.price_usd_per_month } },
    })
    const { tools } = messagesOf((await call('free', '/mcp', post(legacy('tools/list')))).body)[0]!.result!
    const listed = document.tools as { name: string; tier: string; paid: boolean; billed_calls: number }[]
    expect(listed.map(({ tier: _tier, paid: _paid, billed_calls: _billed, ...tool }) => tool)).toEqual(tools)
    for (const { name, tier, paid, billed_calls } of listed) {
      expect(TOOLS.find((tool) => tool.name === name)!.query.tier, name).toBe(tier)
      expect([paid, billed_calls], name).toEqual([tier !== 'free', 1])
    }
  }
})
