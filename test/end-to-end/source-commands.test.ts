import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { allSources } from '../../config/sources.ts'
import { type RunningSimulatedWorld, startSimulatedWorld } from '../../pipeline/simulator/server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { json, run } from './commands.ts'

const fixture = (...names: string[]) => projectFile('test', 'pipeline', 'collectors', 'fixtures', ...names)
const AT = ['--fetched-at', '2026-11-21T10:03:00Z']

interface Parsed {
  readings: { iata: string; wait_minutes?: number | null }[]
  notices: { code: string }[]
}

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([[['sources']], [['sources', 'list']]])(
  '%j lists the catalogue, also where no data folder is',
  async (words) => {
    const folder = join(await temporaryFolder(), 'none')
    const entries = await json<{ id: string }[]>(...words, '--json', '--data-dir', folder)
    expect(entries.map(({ id }) => id)).toEqual(allSources().map(({ id }) => id))
    expect(existsSync(folder)).toBe(false)
  },
)

describe('parse', () => {
  it.each([
    ['sea-cwt', fixture('sea.json'), []],
    ['faa-nas-status', fixture('faa', 'status-busy.xml'), ['--fetched-at', '2027-01-07T23:46:00Z']],
  ])('%s prints the readings of a fixture', async (source, file, flags) => {
    const { readings } = await json<Parsed>('sources', 'parse', source, file, ...AT, ...flags)
    expect(readings.length).toBeGreaterThan(0)
  })

  it('uses the airport given by --iata', async () => {
    const words = ['panynj-rest', fixture('panynj-rest.json'), '--iata', 'JFK']
    const { readings } = await json<Parsed>('sources', 'parse', ...words, ...AT)
    expect(new Set(readings.map(({ iata }) => iata))).toEqual(new Set(['JFK']))
  })
})

describe('on a simulated world', () => {
  let world: RunningSimulatedWorld
  beforeAll(async () => {
    world = await startSimulatedWorld({ seed: 7 })
  })
  afterAll(() => world.close())

  it('collect stores readings, replay produces the same ones, sources shows the state', async () => {
    vi.stubEnv('HOLDSHORT_SIMULATED_WORLD', world.url)
    vi.stubEnv('HOLDSHORT_DATA_DIR', await temporaryFolder())
    const words = ['run', 'collect', 'sea-cwt', 'faa-nas-status', '--json']
    const outcomes = await json<{ source: string; new_rows: number; error: null }[]>(...words)
    expect(outcomes.map(({ source, error }) => [source, error]).sort()).toEqual([
      ['faa-nas-status', null],
      ['sea-cwt', null],
    ])
    const rows = () => json('query', 'SELECT * FROM readings ORDER BY ALL', '--format', 'json')
    const landed = await rows()
    expect(await json('run', 'replay', '--json')).toMatchObject({ captures: 2, failed: [] })
    expect(await rows()).toEqual(landed)
    const sources = await json<{ id: string; health: { state: string } }[]>('sources', '--json')
    expect(sources.map(({ id }) => id)).toEqual(allSources().map(({ id }) => id))
    expect(sources.find(({ id }) => id === 'sea-cwt')?.health.state).toBe('healthy')
    expect((await run('sources')).stdout).toContain('airports with an active live security source')
  })

  it('sources check stores nothing, and exits with 1 if a source fails', async () => {
    const folder = await temporaryFolder()
    vi.stubEnv('HOLDSHORT_SIMULATED_WORLD', world.url)
    vi.stubEnv('HOLDSHORT_DATA_DIR', folder)
    expect(await json('sources', 'check', 'sea-cwt', 'mobi-mco', '--json')).toMatchObject([{ ok: true }, { ok: true }])
    expect(existsSync(`${folder}/raw`)).toBe(false)
    world.setFault({ hosts: ['www.portseattle.org'], html_page: 1 })
    const { code, stdout } = await run('sources', 'check', 'sea-cwt', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([1, [{ ok: false, code: 'PARSE_FAILED' }]])
  })

  it('collect rejects a source that is switched off, and exits with 1 if every source fails', async () => {
    vi.stubEnv('HOLDSHORT_SIMULATED_WORLD', world.url)
    vi.stubEnv('HOLDSHORT_DATA_DIR', await temporaryFolder())
    const inactive = allSources().find((source) => !source.active)
    if (inactive) expect((await run('run', 'collect', inactive.id)).stderr).toContain('SOURCE_OFF')
    world.setFault({ hosts: ['www.portseattle.org'], html_page: 1 })
    const { code, stdout } = await run('run', 'collect', 'sea-cwt', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([1, [{ error: { code: 'PARSE_FAILED' } }]])
  })
})

it('keys are shown once, listed without their secret, and revoked by id', async () => {
  vi.stubEnv('HOLDSHORT_DATA_DIR', await temporaryFolder())
  const { key } = await json<{ key: string }>('keys', 'issue', '--tier', 'enterprise', '--name', 'tower', '--json')
  expect(key).toMatch(/^hs_live_[A-Za-z0-9]{36}$/)
  const list = await run('keys', 'list', '--json')
  expect(list.stdout).not.toContain(key)
  const [listed] = JSON.parse(list.stdout) as { id: string; tier: string; revoked_at: string | null }[]
  expect(listed).toMatchObject({ tier: 'enterprise', revoked_at: null })
  expect(await json('keys', 'revoke', listed?.id ?? '', '--json')).toEqual({ revoked: listed?.id })
  expect((await json<{ revoked_at: string }[]>('keys', 'list', '--json'))[0]?.revoked_at).toBeTruthy()
  const unknown = await run('keys', 'revoke', 'nobody')
  expect([unknown.code, unknown.stderr.split(':')[0]]).toEqual([1, 'NOT_FOUND'])
})
