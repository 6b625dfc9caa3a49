import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { getKey, quickStarts, SENSOR_SECONDS } from '../../../../api/site/docs/quick-starts.ts'
import { TIERS } from '../../../../config/tiers.ts'
import { EXHAUSTIVE } from '../../../exhaustive.ts'
import { openHarness, temporaryFolder } from '../../harness.ts'

const run = promisify(execFile)
const urls = {
  site_url: 'https://h.example',
  base_url: 'https://h.example/api/v1',
  mcp_url: 'https://h.example',
  auth_url: 'https://h.example',
}

test('there is a beginning for each language and client, whose configurations are JSON and whose sensors stay within the tiers', () => {
  const starts = new Map(quickStarts(urls).map((start) => [start.id, start]))
  expect([...starts.keys()]).toEqual([
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
  expect(JSON.parse(starts.get('cursor')!.listings[0]!.text)).toMatchObject({
    mcpServers: { holdshort: { url: 'https://h.example/mcp' } },
  })
  expect(JSON.parse(starts.get('vs-code')!.listings[0]!.text)).toMatchObject({
    servers: { holdshort: { type: 'http', headers: { Authorization: `Bearer ${'$'}{input:holdshort-key}` } } },
  })
  const month = 31 * 86_400
  expect(month / SENSOR_SECONDS.wait).toBeLessThanOrEqual(TIERS.pro.calls_per_month)
  expect(month / SENSOR_SECONDS.delays).toBeLessThanOrEqual(TIERS.free.calls_per_month)
})

test.runIf(EXHAUSTIVE && existsSync('/usr/bin/curl'))(
  'the listings for curl, TypeScript and Python work as pasted',
  async () => {
    const { app } = await openHarness()
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const here = { site_url: address, base_url: `${address}/api/v1`, mcp_url: address, auth_url: address }
    const listing = (id: string, place = 0) => quickStarts(here).find((start) => start.id === id)!.listings[place]!.text
    const { stdout: printed } = await run('sh', ['-c', getKey(here)])
    const HOLDSHORT_KEY = printed.trim()
    expect(HOLDSHORT_KEY).toMatch(/^hs_agent_[0-9A-Za-z]{36}$/)
    const env = Object.assign({}, process.env, { HOLDSHORT_KEY })
    expect(JSON.parse((await run('sh', ['-c', listing('curl')], { env })).stdout)).toMatchObject({
      airport: 'JFK',
      status: 'ground_delay',
    })
    const script = join(temporaryFolder(), 'delays.mjs')
    writeFileSync(script, listing('typescript'))
    const expected = /^JFK: ground_delay\. Ground delay program: wind\. \(faa-nas, \d+ s old\)\n$/
    expect((await run(process.execPath, [script], { env })).stdout).toMatch(expected)
    await expect(run(process.execPath, [script], { env: { ...env, HOLDSHORT_KEY: 'no' } })).rejects.toThrow(
      /INVALID_API_KEY/,
    )
    const python = await run('python3', ['--version']).then(
      () => true,
      () => false,
    )
    if (python) expect((await run('python3', ['-c', listing('python')], { env })).stdout).toMatch(expected)
  },
  30_000,
)
