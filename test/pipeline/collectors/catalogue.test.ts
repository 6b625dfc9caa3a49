import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { projectFile } from '../../../config/paths.ts'
import { allSources, type Source, sourceById } from '../../../config/sources.ts'
import { collectorById, collectors, waitCollectors } from '../../../pipeline/collectors/index.ts'
import type { Collector } from '../../../pipeline/parsing/collector.ts'

const isCollector = (value: unknown): value is Collector =>
  typeof value === 'object' && value !== null && 'lands' in value && 'request' in value && 'parse' in value

describe('the list of collectors', () => {
  it('holds every collector that a file of the folder exports, once', async () => {
    const folder = projectFile('pipeline', 'collectors')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && file !== 'index.ts',
    )
    const modules = await Promise.all(files.map((file) => import(/* @vite-ignore */ join(folder, file))))
    const exported = modules.flatMap((module) => Object.values(module)).filter(isCollector)
    expect(exported.length).toBeGreaterThan(50)
    expect(exported.map(({ id }) => id).sort()).toEqual(collectors.map(({ id }) => id).sort())
    expect(new Set(collectors.map(({ id }) => id)).size).toBe(collectors.length)
  })

  it('has a source for every collector, and a collector for every source', () => {
    const readable = allSources().filter((source) => source.collector !== 'none')
    expect(new Set(readable.map((source) => source.collector))).toEqual(
      new Set(collectors.map((collector) => collector.id)),
    )
    expect(() => collectorById('nobody')).toThrow('collector: "nobody" is not one of')
  })

  it('requests every airport of every source of waits over https', () => {
    for (const source of allSources()) {
      const collector = waitCollectors.find((candidate) => candidate.id === source.collector)
      if (collector === undefined) continue
      const context = {
        source,
        airports: source.airports,
        now: 1_795_255_200_000,
        learned_keys: {},
        icaoOf: (iata: string) => `K${iata}`,
      }
      const requests = collector.request(context)
      if (source.active) expect(requests.length, source.id).toBeGreaterThan(0)
      for (const request of requests) expect(request.url, source.id).toMatch(/^https:\/\//)
      // Several requests are one an airport, or each about all of them.
      if (requests.length > 1 && requests.some(({ iata }) => iata !== null))
        expect([...new Set(requests.map((request) => request.iata))], source.id).toEqual(source.airports)
    }
  })
})

describe('the catalogue', () => {
  it('has unique source ids, and a reason for each source that is off', () => {
    const sources = allSources()
    expect(new Set(sources.map((source) => source.id)).size).toBe(sources.length)
    for (const source of sources) expect(source.why_off === null, source.id).toBe(source.active)
  })

  it('keeps every source without a collector switched off', () => {
    const unreadable = allSources().filter((source) => source.collector === 'none')
    expect(unreadable.map((source) => source.id)).toContain('mytsa-dead')
    for (const source of unreadable) expect(source.active, source.id).toBe(false)
  })

  it('has every airport abroad that is expected to be live', () => {
    const live = allSources().filter(
      ({ active, timeliness, kind }) => active && timeliness === 'live' && kind === 'security',
    )
    const countryOf = (iata: string) => airportDirectory().byIata.get(iata)?.country ?? ''
    const abroad = live.flatMap(({ airports }) => airports).filter((iata) => !['US', 'CA'].includes(countryOf(iata)))
    expect([...new Set(abroad)].sort().join(' ')).toBe(
      'AGP ALC AMS ARN BCN BER BIO BRU CPH DEL DOH DUB DUS EDI FCO FRA GOT HAM HEL IBZ ICN IST LHR LPA MAD MUC OSL PMI STR SVQ TFS VLC ZRH',
    )
  })

  it('contains no key of a site or of another party', () => {
    for (const source of allSources())
      expect(JSON.stringify([source.url, source.options]), source.id).not.toMatch(
        /(?=[a-z]*\d)[0-9a-z]{25}|[?&](key|token)=/i,
      )
  })
})

describe('aggregators', () => {
  it('are off, each with a reason', () => {
    const sources = allSources().filter(({ publisher, kind }) => publisher === 'aggregator' && kind !== 'places')
    expect(sources.map((source) => source.id).sort()).toEqual([
      'fromthetraytable',
      'qsensor',
      'tsawaittimes-com',
      'waitport',
    ])
    for (const source of sources) expect(source.why_off).toMatch(/\w+ \w+/)
    expect(sources.filter((source) => source.active)).toEqual([])
  })

  it('have the only known source of DAL, and none of CLE, whose minutes they derive from levels', () => {
    const having = (iata: string) =>
      allSources()
        .filter((source) => source.kind === 'security' && source.airports.includes(iata))
        .map((source) => source.id)
    expect(having('DAL')).toEqual(['fromthetraytable'])
    expect(having('CLE')).not.toContain('fromthetraytable')
  })
})

/** Another airport of each family, as an operator would write it into config/sources.json, and the address of its request. */
const NEWCOMERS: [member: string, entry: Partial<Source>, address: string][] = [
  [
    'panynj-graphql',
    { airports: ['SWF'], options: { SWF: 'https://www.swfny.com' } },
    'https://www.swfny.com/api/graphql',
  ],
  ['panynj-customs', { airports: ['SWF'], options: { SWF: 'https://www.swfny.com' } }, '/SWF'],
  ['catsa-html', { airports: ['YQT'], options: { YQT: 'thunder-bay' } }, '/thunder-bay'],
  ['mobi-cvg', { airports: ['SDF'], url: 'https://api.example.aero/checkpoints/SDF' }, '/checkpoints/SDF'],
  ['sita-mia', { airports: ['TPA'], url: 'https://waits.example.org/tpa' }, 'https://waits.example.org/tpa'],
  ['bwi-json', { airports: ['MTN'], url: 'https://waits.example.org/mtn' }, 'https://waits.example.org/mtn'],
  ['mwaa-iad', { airports: ['RIC'], url: 'https://www.example.org/security' }, 'https://www.example.org/security'],
  ['swedavia-keyless', { airports: ['UME'] }, '/UME/true'],
  ['aena-indoor', { airports: ['GRX'] }, '/LEGR/accesscontrols'],
  ['locuslabs', { airports: ['SAN'] }, '/san/dynamic-poi'],
  ['zensors-bos', { airports: ['PVD'], options: { journeys: 'tAB12CD34=Main' } }, 'zensors'],
]

it.each(NEWCOMERS)('an airport of a known family needs one entry in sources.json: %s', (member, entry, address) => {
  const source = { ...sourceById(member), ...entry, id: 'newcomer' }
  const requests = collectorById(source.collector).request({
    source,
    airports: source.airports,
    now: Date.parse('2026-11-20T12:00:00Z'),
    learned_keys: { key: 'k', slug: 's', token: 't' },
    icaoOf: (iata) => airportDirectory().byIata.get(iata)?.icao ?? null,
  })
  expect(requests).toHaveLength(1)
  expect(requests[0]?.url).toContain(address)
  expect([source.airports[0], null]).toContain(requests[0]?.iata)
  if (member === 'aena-indoor') expect(requests[0]?.headers).toMatchObject({ Referer: 'https://www.aena.es/' })
})

it('kac stays within the calls of a free key, and is off until the operator has one', () => {
  for (const id of ['kac-process-time', 'kac-congestion']) {
    const { cadence_seconds, active, why_off, attribution } = sourceById(id)
    expect((2 * 86_400) / cadence_seconds).toBeLessThan(5_000)
    expect([active, why_off]).toEqual([false, expect.stringContaining('HOLDSHORT_DATA_GO_KR_KEY')])
    expect(attribution).toContain('한국공항공사')
  }
})

it('catsa-html-others is off because the names of its pages are inferred', () => {
  const { active, why_off } = sourceById('catsa-html-others')
  expect([active, why_off]).toEqual([false, expect.stringContaining('inferred')])
})

const text = (...path: string[]) => readFileSync(projectFile('pipeline', ...path), 'utf8')

/** TypeScript files of a folder of the pipeline and of the folders below it. */
const filesOf = (folder: string) =>
  readdirSync(projectFile('pipeline', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => text(folder, file))

it('the table of notices in the README explains exactly the codes that the collectors raise', () => {
  const raised = [...filesOf('collectors'), ...filesOf('parsing')].flatMap((source) =>
    [...source.matchAll(/\b(?:notice|note|leaveOut|info|warning)\(\s*'([a-z_]+)'/g)].map((match) => match[1]),
  )
  const explained = [...text('collectors', 'README.md').matchAll(/^\| `([a-z_]+)` \|/gm)].map((match) => match[1])
  expect(raised.length).toBeGreaterThan(30)
  expect([...new Set(raised)].sort()).toEqual(explained.sort())
})
