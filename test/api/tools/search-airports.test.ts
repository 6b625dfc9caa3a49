import { expect, it } from 'vitest'
import { searchAirportsTool } from '../../../api/tools/search-airports.ts'
import { callOf, runTool, toolText } from './run-tool.ts'

interface Answer {
  airports: { iata: string }[]
  metro: { code: string; airports: string[]; also_an_airport: boolean; credit: string | null } | null
  total: number
}
const ask = (query: string, more: object = {}) => runTool<Answer>(searchAirportsTool, { query, ...more }, 'free')

it('a city code is explained, with its airports first and the busiest of them at the top', () => {
  const { metro, airports } = ask('LON', { limit: 10 })
  expect(metro).toMatchObject({ code: 'LON', also_an_airport: false })
  expect(metro?.airports.slice(0, 2)).toEqual(['LHR', 'LGW'])
  // No airport that only has these letters in its name.
  expect(airports.map(({ iata }) => iata)).toEqual(metro?.airports)
  expect(metro?.credit).toContain('CC BY 4.0')
  expect(toolText(searchAirportsTool, { query: 'NYC' }, 'free')).toMatch(
    /^JFK .*: one of the airports of NYC\.\nNYC stands for all airports of New York: JFK/,
  )
  expect(ask('London').metro?.code).toBe('LON')
  expect(ask('L H R').airports[0]?.iata).toBe('LHR')
  expect(ask('London', { country: 'GB' }).metro?.code).toBe('LON')
  expect(ask('London', { country: 'CA' }).metro).toBeNull()
  expect(ask('Tokio').airports.map(({ iata }) => iata)).toEqual(['HND', 'NRT'])
})

it('a country filters out the airports of other countries', () => {
  expect(ask('london', { country: 'CA' }).airports[0]?.iata).toBe('YXU')
  expect(ask('london', { country: 'uk' }).airports[0]?.iata).toBe('LHR')
  expect(ask('athens', { country: 'EL' }).airports[0]?.iata).toBe('ATH')
})

it.each([
  ['Portland', 'Portland, Oregon, US'],
  ['George Town', 'George Town, Cayman Islands'],
  ['Birmingham', 'Birmingham, England, UK'],
  ['Singapore', 'Singapore'],
  ['Hamilton', 'Hamilton, Waikato Region, New Zealand'],
])('%s is told with its region and country, in text and structure', (query, place) => {
  const { airports } = runTool<{ airports: { place: string }[] }>(searchAirportsTool, { query }, 'free')
  expect(airports[0]?.place).toBe(place)
  expect(toolText(searchAirportsTool, { query }, 'free').split('\n')[0]).toContain(`, ${place}.`)
})

it('a guess says that it is one', () => {
  for (const [query, meant] of [
    ['Londn', 'London'],
    ['Springfild', 'Springfield'],
    ['Heathrw', 'Heathrow'],
  ] as const)
    expect(toolText(searchAirportsTool, { query }, 'free').split('\n')[0]).toMatch(
      new RegExp(`: if .*${meant}.* was meant`),
    )
})

it('the city code is explained for a city named in any script, and a former ICAO code is said to be one', () => {
  for (const query of ['Лондон', 'ロンドン', '伦敦']) expect(ask(query).metro?.code).toBe('LON')
  expect(ask('뉴욕').metro?.code).toBe('NYC')
  expect(toolText(searchAirportsTool, { query: 'KPBI' }, 'free')).toMatch(/^DJT \(KDJT\) .*: formerly KPBI\./)
})

it('a code with two letters exchanged finds its airport, as a guess', () => {
  const { text, structured } = callOf<{ airports: object[]; total: number }>(searchAirportsTool, { query: 'JKF' })
  expect(structured).toMatchObject({
    total: 1,
    airports: [{ iata: 'JFK', matched_by: 'IATA code', exact: false, corrected: true }],
  })
  expect(text).toMatch(/^If JFK|JFK .* if .*JFK.* was meant/)
})

it('a code in capitals among words of no name is meant, not a name that is like the words', () => {
  expect(ask('LGW airport north terminal').airports.map(({ iata }) => iata)).toEqual(['LGW'])
  expect(ask('ORD please, the one of Chicagoo').airports.map(({ iata }) => iata)).toEqual(['ORD'])
  // What is all in capitals has no code among its words.
  expect(ask('NEW YORKK').airports[0]).toMatchObject({ iata: 'JFK' })
})
