import { describe, expect, it } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { ParseError } from '../../../config/errors.ts'
import { allSources, type Source, sourceById } from '../../../config/sources.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseAs } from './context.ts'

/** Each source with an empty payload. `expected-readings.test.ts` reads its ordinary one. */
const CASES: [source: string, iata: string, empty: string | null][] = [
  ['ams-schiphol', 'AMS', '{}'],
  ['lhr-pihub', 'LHR', '[]'],
  ['lhr-immigration', 'LHR', '[]'],
  ['fra-waz', 'FRA', '{"data":[]}'],
  ['dus-sitecore', 'DUS', '{"data":[],"hasError":false}'],
  ['ham', 'HAM', null],
  ['ber-apls', 'BER', '{"data":{"apls-data":[]}}'],
  ['cph-azure', 'CPH', null],
  ['swedavia-keyless', 'ARN', '{"queueTimesList":[]}'],
  ['swedavia-keyed', 'ARN', '{"waitTimes":[]}'],
  ['avinor-osl', 'OSL', '[]'],
  ['hel-finavia', 'HEL', '{"SecDepartureHall":[]}'],
  ['zrh-security', 'ZRH', null],
  ['zrh-checkin', 'ZRH', '{"checkin":[]}'],
  ['zrh-passport', 'ZRH', '{"passportControl":[]}'],
  ['dub-dap', 'DUB', null],
  ['edi-blip', 'EDI', null],
  ['aena-indoor', 'PMI', '[]'],
  ['ist', 'IST', null],
  ['doh-xovis', 'DOH', '{"checkpoints":[]}'],
  ['del-dial', 'DEL', '{"data":{"Security":[]}}'],
  ['icn-keyless', 'ICN', '{}'],
  ['icn-datagokr', 'ICN', '{"response":{"header":{"resultCode":"00"},"body":{"items":[]}}}'],
  ['syd', 'SYD', '[]'],
]

describe.each(CASES)('%s', (source, iata, empty) => {
  if (empty !== null)
    it('accepts an empty payload', () => {
      expect(parseAs(source, empty, iata)).toEqual({ readings: [], notices: [] })
    })

  it('rejects other shapes', () => {
    const others = source === 'ams-schiphol' || source === 'icn-keyless' ? [] : ['{}']
    for (const body of ['', '<html>503</html>', 'null', '"text"', '{"message":', '7', ...others])
      expect(() => parseAs(source, body, iata), body).toThrow(ParseError)
  })

  it('is tested for an airport of its source', () => {
    expect(sourceById(source).airports).toContain(iata)
  })
})

/** Whether a source publishes its own waits, and only for airports outside the United States and Canada. */
function isOverseas({ airports, kind, publisher }: Source): boolean {
  const countries = airports.map((iata) => airportDirectory().byIata.get(iata)?.country ?? '')
  const waits = ['security', 'immigration', 'customs', 'checkin'].includes(kind) && publisher !== 'aggregator'
  return waits && countries.length > 0 && !countries.some((country) => country === 'US' || country === 'CA')
}

/** Collectors of these airports that other files test: `aci` in aci.test.ts, the pages in canadian-and-european-pages.test.ts. */
const TESTED_ELSEWHERE = ['aci', 'str-html', 'bru-html', 'fco-html']

describe('the collectors of airports outside North America', () => {
  const overseas = new Set(
    allSources()
      .filter(isOverseas)
      .map(({ collector }) => collector)
      .filter((id) => id !== 'none' && !TESTED_ELSEWHERE.includes(id)),
  )

  it('are all tested in this file', () => {
    expect([...overseas].sort()).toEqual([...new Set(CASES.map(([source]) => sourceById(source).collector))].sort())
  })

  it('cover every airport that is expected to be live', () => {
    const live = allSources().filter((one) => overseas.has(one.collector) && one.active && one.kind === 'security')
    expect([...new Set(live.flatMap(({ airports }) => airports))].sort().join(' ')).toBe(
      'AGP ALC AMS ARN BCN BER BIO CPH DEL DOH DUB DUS EDI FRA GOT HAM HEL IBZ ICN IST LHR LPA MAD OSL PMI SVQ TFS VLC ZRH',
    )
  })

  it.each([
    ['syd', /terms.*forbid automated retrieval/],
    ['bkk-sawasdee', /no public address/],
    ['swedavia-keyed', /HOLDSHORT_SWEDAVIA_KEY/],
    ['icn-datagokr', /key of data\.go\.kr/],
  ])('leave %s off, with the reason', (id, why) => {
    expect(sourceById(id)).toMatchObject({ active: false, why_off: expect.stringMatching(why) })
  })

  it.each([
    ['lhr-pihub', { Origin: 'https://www.heathrow.com' }],
    ['dus-sitecore', { 'X-Requested-With': 'XMLHttpRequest' }],
    ['aena-indoor', { Origin: 'https://www.aena.es', Referer: 'https://www.aena.es/' }],
    ['ist', { Referer: 'https://www.istairport.com/' }],
  ])('request %s with the headers of its own page', (id, headers) => {
    const source = sourceById(id)
    const [request] = collectorById(source.collector).request({
      source,
      airports: source.airports,
      now: 0,
      learned_keys: {},
      icaoOf: (iata) => (iata === 'MAD' ? 'LEMD' : null),
    })
    expect(request?.headers).toMatchObject(headers)
    if (id === 'aena-indoor') expect(request?.url).toMatch(/\/airports\/LEMD\/accesscontrols$/)
  })
})
