import { expect, it } from 'vitest'
import type { Comparison } from '../../../answers/questions/compare-airports.ts'
import { withAirportCodes } from '../../../api/mcp/tool-arguments.ts'
import { compareAirportsTool } from '../../../api/tools/compare-airports.ts'
import { getSecurityWaitEstimateTool } from '../../../api/tools/get-security-wait-estimate.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { UNKNOWN_STATUS } from '../../../config/answer-schemas.ts'
import { exampleContent, NOW, snapshotAt, THIS_HOUR } from '../example-snapshot.ts'
import { CLOSED_AT_NIGHT, closedUnknown, forecastFrom, measured, NOTHING, preCheckOnly } from '../fake-snapshot.ts'
import { runTool, toolText } from './run-tool.ts'

const queues = { 'JFK security': measured(NOW, 14), 'LGA security': measured(NOW, 9) }
const both = snapshotAt(NOW, { queues })
const CONTEXT = { directory: airportDirectory(), snapshot: both }
const ask = (airports: string[], snapshot = both) =>
  runTool<Comparison>(compareAirportsTool, { airports }, 'free', snapshot)

it('each airport has the same wait and delays as in its own tools', () => {
  const { airports, shortest_wait, comparable } = ask(['LGA', 'JFK', 'GRU'], snapshotAt())
  expect(airports.map(({ airport }) => airport)).toEqual(['LGA', 'JFK', 'GRU'])
  for (const { airport, security } of airports) {
    const alone = runTool<Record<string, unknown>>(getSecurityWaitEstimateTool, { iata: airport }, 'free')
    expect(security.wait_minutes).toBe(alone.average_wait_minutes)
    expect(security.basis).toBe(alone.basis)
  }
  expect([shortest_wait, comparable]).toEqual([null, false])
})

it('compares an airport once that is named by two codes, and refuses one airport alone', () => {
  expect(ask(['JFK', 'PBI', 'DJT']).airports.map(({ airport }) => airport)).toEqual(['JFK', 'DJT'])
  expect(() => ask(['PBI', 'DJT'])).toThrow('must name at least two airports: all of these are DJT')
})

it('prefers none of two waits that differ by less than three minutes', () => {
  const recommended = (jfk: number, lga: number) =>
    ask(
      ['JFK', 'LGA'],
      snapshotAt(NOW, {
        delays: {},
        queues: { 'JFK security': measured(NOW, jfk), 'LGA security': measured(NOW, lga) },
      }),
    ).recommended
  expect([12, 13, 14, 15].map((lga) => recommended(12, lga))).toEqual([null, null, null, 'JFK'])
})

it('says of a 0 that may be that of a closed queue on which condition it holds, as first fact too', () => {
  const queue = { ...measured(NOW, 0), ...UNKNOWN_STATUS }
  const snapshot = snapshotAt(NOW, { delays: {}, queues: { 'JFK security': queue, 'LGA security': measured(NOW, 1) } })
  expect(ask(['JFK', 'LGA'], snapshot).recommendation).toContain('JFK 0 min at T4 if open now and LGA 1 min at T4')
  const text = toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot)
  expect(text).toContain('JFK: security no wait if it is open now, which is not known; T4 only (')
})

it('shows basis and age of an observed wait, and the probability of a forecast one', () => {
  const forecast = forecastFrom('LGA', THIS_HOUR)
  const snapshot = snapshotAt(NOW, {
    queues: {
      'JFK security': measured(NOW, 14),
      'LGA security': { ...NOTHING, average_wait_minutes: 0, basis: 'predicted' },
    },
    forecasts: [forecast],
  })
  const securities = ask(['JFK', 'LGA', 'GRU'], snapshot).airports.map(({ security }) => security.probability)
  expect(securities).toEqual([null, 0.73, null])
  const text = toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot)
  expect(text).toContain('JFK: security 14 min; T4 only (measured 2 min ago by panynj); ground delay.')
  expect(text).toContain('LGA: security no wait (forecast from its own past; mostly 0 to 5 min)')
})

it('an airport where only PreCheck is open has no wait for everybody, and says what is open', () => {
  const snapshot = snapshotAt(NOW, {
    delays: {},
    queues: { 'JFK security': preCheckOnly(NOW, 3), 'LGA security': measured(NOW, 9) },
  })
  const answer = ask(['JFK', 'LGA'], snapshot)
  expect(answer).toMatchObject({ recommended: 'LGA', shortest_wait: 'LGA' })
  expect(answer.recommendation).toContain('Only PreCheck is open at JFK, 3 min at T4.')
  expect(answer.airports[0]!.security).toMatchObject({
    wait_minutes: null,
    status: 'closed',
    spread: { standard_lanes: null, without_wait: [{ terminal: 'T4', status: 'limited' }] },
  })
  const both = snapshotAt(NOW, {
    delays: {},
    queues: { 'JFK security': preCheckOnly(NOW, 3), 'LGA security': closedUnknown(NOW) },
  })
  expect(ask(['JFK', 'LGA'], both).recommendation).toMatch(/^No standard lane is open at either now\. Only PreCheck/)
})

it.each([
  ['JFK 4', 'JFK', 'terminal 4'],
  ['JFK4', 'JFK', 'terminal 4'],
  ['muc-t2', 'muc', 'terminal 2'],
  ['DEN West Security', 'DEN', 'West Security'],
  ['ATL Domestic Terminal', 'ATL', 'Domestic Terminal'],
  ['LAX TBIT', 'LAX', 'TBIT'],
  ['AMS Pier C', 'AMS', 'Pier C'],
  ['ATL North', 'ATL', 'North'],
  ['MUC Satellite', 'MUC', 'Satellite'],
  ['DEN South', 'DEN', 'South'],
  ['HND international', 'HND', 'international'],
  ['JFK PreCheck', 'JFK', 'PreCheck'],
  ['DEN CLEAR', 'DEN', 'CLEAR'],
  ['LHR fast track', 'LHR', 'fast track'],
])('a part of an airport written behind a code is said not to be compared alone: %s', (text, code, part) => {
  const sent = { airports: [text, 'LGA'] }
  expect(withAirportCodes(compareAirportsTool, sent, CONTEXT)).toEqual({
    input: { airports: [code, 'LGA'] },
    // The source of the wait at JFK names T4 alone.
    notice: `This is of all of ${code.toUpperCase()}, not of ${part} alone${code === 'JFK' ? '; the security wait is that of T4' : ''}.`,
  })
})

it('reads a known terminal behind the name of an airport, and no part of a name as one', () => {
  const read = (text: string) => withAirportCodes(compareAirportsTool, { airports: [text, 'LGA'] }, CONTEXT)
  expect(read('Gatwick North')).toEqual({
    input: { airports: ['LGW', 'LGA'] },
    notice: 'This is of all of LGW, not of North Terminal alone.',
  })
  expect(read('Heathrow Terminal Five').notice).toBe('This is of all of LHR, not of Terminal Five alone.')
  expect(read('Dulles Concourse C')).toEqual({
    input: { airports: ['IAD', 'LGA'] },
    notice: 'This is of all of IAD, not of Concourse C alone.',
  })
  expect(read('Heathrow 5').notice).toBe('This is of all of LHR, not of terminal 5 alone.')
  // No terminal of NRT is known.
  expect(read('Narita 1')).toEqual({
    input: { airports: ['NRT', 'LGA'] },
    notice: 'This is of all of NRT, not of terminal 1 alone.',
  })
  for (const place of ['Split 3', 'Kathmandu 5', 'Denver 2b'])
    expect(() => read(place)).toThrow(/^airports\[0\]: use the code if this is meant: /)
  expect(read('Charles de Gaulle Hall K').notice).toBe('This is of all of CDG, not of Hall K alone.')
  expect(read('Heathrow T5 fast track').notice).toMatch(/^This is of all of LHR, not of .*fast track alone\.$/)
  expect(read('JFK standard lane')).toEqual({ input: { airports: ['JFK', 'LGA'] }, notice: null })
  expect(() => read('TSA PreCheck Orlando')).toThrow(/MCO .*SFB /)
  expect(read('Heathrow Airport security')).toEqual({ input: { airports: ['LHR', 'LGA'] }, notice: null })
  expect(read('HND International Airport')).toEqual({ input: { airports: ['HND', 'LGA'] }, notice: null })
  expect(read('Dallas Love Field')).toEqual({ input: { airports: ['DAL', 'LGA'] }, notice: null })
  expect(read('Key West').input).toEqual({ airports: ['EYW', 'LGA'] })
  expect(read('KEY WEST').input).toEqual({ airports: ['EYW', 'LGA'] })
})

it('names the airports with flights of a city, and takes no city in capitals for a code', () => {
  const read = (text: string) => () => withAirportCodes(compareAirportsTool, { airports: [text, 'LGA'] }, CONTEXT)
  expect(read('Paris')).toThrow(/CDG .*ORY .*BVA /)
  expect(read('Paris')).not.toThrow(/LBG|PRX/)
  // What has the name of a city but does not serve it is none of its airports.
  expect(read('New York')).toThrow(/JFK .*EWR .*LGA /)
  expect(read('New York')).not.toThrow(/SYR|BUF/)
  expect(read('Tokyo')).toThrow(/HND .*NRT /)
  expect(read('Tokyo')).not.toThrow(/MYE|OIM/)
  // Where flights ended, the airport of the name itself leads, and the nearest with flights goes before places of that name elsewhere.
  expect(read('Odesa')).toThrow(/use the code of one of these: ODS .*Ukraine; no passenger flights\), RMO .*MAF /)
  expect(read('Rostov')).toThrow(/use the code if this is meant: ROV .*no passenger flights\)/)
  expect(read('Berlin Tegel')).not.toThrow()
  expect(read('SAN JOSE TERMINAL BUILDING')).toThrow('airports[0]: use the code')
})

it.each(['typical', 'measured'] as const)('a %s wait is none while airlines are shut out', (basis) => {
  const { LGA } = exampleContent().delays!
  const wait = basis === 'measured' ? measured(NOW, 7) : { ...measured(NOW, 7), basis, terminals: [] }
  const snapshot = snapshotAt(NOW, {
    delays: { LGA: { ...LGA!, status: 'closed', closures: [{ ...CLOSED_AT_NIGHT, closed_hours_utc: null }] } },
    queues: { 'LGA security': wait, 'JFK security': measured(NOW, 9) },
  })
  expect(ask(['JFK', 'LGA'], snapshot)).toMatchObject({
    recommended: 'JFK',
    comparable: true,
    shortest_wait: 'JFK',
    airports: [
      {},
      {
        security: {
          wait_minutes: null,
          spread: null,
          unavailable_reason: expect.stringContaining('closed to airlines'),
        },
      },
    ],
  })
})

it('an airport without scheduled flights is not preferred, and says so', () => {
  const snapshot = snapshotAt(NOW, { delays: {}, queues: { 'EWR security': measured(NOW, 9) } })
  const answer = ask(['TEB', 'EWR'], snapshot)
  expect(answer.recommended).toBe('EWR')
  expect(answer.recommendation).toMatch(
    /^Prefer EWR: 9 min at T4, measured\. TEB has no scheduled flights; the nearest airport/,
  )
})

it('what delays flights in the weather is said in words, of the airport that has it', () => {
  const report = snapshotAt().weather('KJFK')!
  const snapshot = snapshotAt(NOW, {
    queues,
    weather: {
      KJFK: { ...report, weather: '-SN', flight_category: 'MVFR' },
      KLGA: { ...report, weather: null, flight_category: 'VFR' },
    },
  })
  expect(ask(['JFK', 'LGA'], snapshot).airports.map(({ hazard }) => hazard)).toEqual([
    'snow: de-icing takes time',
    null,
  ])
  const text = toolText(compareAirportsTool, { airports: ['JFK', 'LGA'] }, 'free', snapshot)
  expect(text.split('\n').filter((line) => line.includes('de-icing'))).toEqual([expect.stringContaining('JFK: ')])
})

it('says the range of an estimate, as the card does', () => {
  const snapshot = snapshotAt(NOW, {
    delays: {},
    queues: {
      'JFK security': measured(NOW, 9),
      'LGA security': { ...NOTHING, average_wait_minutes: 7, basis: 'typical' },
    },
    forecasts: [forecastFrom('LGA', THIS_HOUR - 7 * 3_600_000)],
  })
  expect(ask(['JFK', 'LGA'], snapshot).recommendation).toBe(
    'The queues cannot be compared: only that at JFK is known, 9 min at T4, measured. At LGA about 5–12 min is typical of airports of that size, not measured.',
  )
})
