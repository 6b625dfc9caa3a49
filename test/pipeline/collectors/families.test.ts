import { expect, it } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { type Source, sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'

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
