import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { projectFile } from '../../../config/paths.ts'
import { allSources } from '../../../config/sources.ts'
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
      const collector = waitCollectors.find((one) => one.id === source.collector)
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
      if (requests.length > 1)
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
