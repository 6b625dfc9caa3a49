import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningSimulatedWorld, startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { call, connectTo } from '../api/mcp-clients.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { json } from './commands.ts'
import { holdshort, startInstallation, until } from './installation.ts'

describe('a live request to an installation on a simulated world', () => {
  let world: RunningSimulatedWorld
  beforeAll(async () => {
    world = await startSimulatedWorld({ seed: 7 })
  })
  afterAll(() => world.close())

  it('is scraped while the caller waits, fails with LIVE_UNAVAILABLE while the pipeline is dead, and works once it is back', async () => {
    const folder = await temporaryFolder()
    const { address, pids, healthy } = await startInstallation(folder, {
      HOLDSHORT_SIMULATED_WORLD: world.url,
      HOLDSHORT_CHROMIUM_PATH: '/nowhere/chromium',
      HOLDSHORT_LIVE_MIN_AGE_SECONDS: '0',
    })
    await healthy(({ snapshot }) => snapshot !== null)
    const { key } = await json<{ key: string }>('keys', 'issue', '--tier', 'enterprise', '--json', '--data-dir', folder)
    const client = await connectTo(address, key, 'client 2')
    const ask = () => call(client, 'get_live_wait_time', { iata: 'SEA' })
    // A scheduled run may have fetched the source within its pace.
    const scraped = () =>
      until('a scrape', async () => {
        const { structuredContent } = await ask()
        return structuredContent?.['outcome'] === 'scraped' ? structuredContent : null
      })
    expect(await scraped()).toMatchObject({
      airport: 'SEA',
      source: 'sea-cwt',
      granularity: 'terminal',
      simulated: true,
      wait: {
        average_wait_minutes: expect.any(Number),
        basis: 'measured',
        freshness: 'live',
        terminals: expect.any(Array),
      },
    })

    const command = await holdshort(['live', 'sea', '--json', '--data-dir', folder])
    expect(command.code).toBe(0)
    expect(JSON.parse(command.stdout)).toMatchObject({
      airport: 'SEA',
      outcome: expect.stringMatching(/scraped|recent/),
    })
    const words = await holdshort(['live', 'sea', '--data-dir', folder])
    expect(words.stdout).toMatch(/^SEA security now: .*min/)
    expect(words.stdout).toMatch(/^sea-cwt: answered after \d+ ms/m)

    const pipeline = pids('pipeline').at(-1) ?? 0
    process.kill(pipeline, 'SIGKILL')
    const dead = await ask()
    expect(dead.isError).toBe(true)
    expect(dead.content[0]?.text).toMatch(/^LIVE_UNAVAILABLE: the pipeline is not running/)
    await until('the pipeline is started again', () => pids('pipeline').at(-1) !== pipeline)
    expect(await scraped()).toMatchObject({ source: 'sea-cwt', simulated: true })
  }, 240_000)

  it('fails with LIVE_UNAVAILABLE when no installation runs', async () => {
    const { code, stderr } = await holdshort(['live', 'JFK', '--data-dir', await temporaryFolder()])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^LIVE_UNAVAILABLE: the pipeline is not running/)
  })
})
