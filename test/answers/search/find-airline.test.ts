import { describe, expect, it, test } from 'vitest'
import { tripOf } from '../../../answers/departure/trip.ts'
import { airlineByCode, findAirline } from '../../../answers/search/find-airline.ts'
import { getAirlineBaggagePolicyTool } from '../../../api/tools/get-airline-baggage-policy.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { AIRLINE_NAMES } from '../../../config/reference/airline-names.ts'
import { CABIN_BAGS } from '../../../config/reference/bags.ts'
import { callOf } from '../../api/tools/run-tool.ts'

const JFK = airportDirectory().byIata.get('JFK')!

describe('the airline that a text means', () => {
  it.each([
    ['DL', 'DL'],
    ['dl', 'DL'],
    ['Delta', 'DL'],
    ['delta airlines', 'DL'],
    ['Delta Air Lines', 'DL'],
    ['American', 'AA'],
    ['united', 'UA'],
    ['british', 'BA'],
    ['SAS', 'SK'],
    ['SK', 'SK'],
    ['TAP', 'TP'],
    ['LOT', 'LO'],
    ['Philippine Airlines', 'PR'],
    ['Aeromexico', 'AM'],
    ['easy jet', 'U2'],
    ['Air China', 'CA'],
    ['China Airlines', 'CI'],
    ['Thai', 'TG'],
    ['Lion Air', 'JT'],
  ])('%s is %s', (text, code) => {
    expect(airlineByCode(text)).toMatchObject({ code, corrected: false })
    expect(findAirline(text)).toMatchObject({ iata: code, corrected: false })
  })

  it.each([
    ['Untied', 'UA'],
    ['Lufthanza', 'LH'],
    ['Rynair', 'FR'],
    ['Detla', 'DL'],
    ['Emirats', 'EK'],
    ['Jet Bleu', 'B6'],
    ['Qatr Airways', 'QR'],
  ])('%s is a guess at %s', (text, code) => {
    expect(airlineByCode(text)).toMatchObject({ code, corrected: true })
  })

  it.each(['Virgin', 'Air', 'zzzzqq', ''])('"%s" is refused', (text) => {
    expect(() => airlineByCode(text)).toThrow(/matches several|must be an IATA/)
  })

  it('every airline is found by the name and the code of its row', () => {
    for (const { airline, iata } of CABIN_BAGS.rows()) {
      expect(findAirline(airline).airline).toBe(airline)
      if (iata !== null) expect(findAirline(iata).airline, iata).toBe(airline)
    }
  })

  it('each further name belongs to an airline of the baggage facts', () => {
    const known = new Set(CABIN_BAGS.rows().map(({ airline }) => airline))
    expect(AIRLINE_NAMES.rows().filter(({ airline }) => !known.has(airline))).toEqual([])
  })
})

test('all tools resolve an airline alike, and a guess says that it is one', () => {
  const bags = (airline: string) => callOf<{ iata: string }>(getAirlineBaggagePolicyTool, { airline })
  const terminals = (airline: string) => callOf<{ airline: string }>(getTerminalsTool, { iata: 'JFK', airline })
  for (const [text, code] of [
    ['Delta', 'DL'],
    ['sas', 'SK'],
  ] as const) {
    expect(bags(text).structured.iata).toBe(code)
    expect(terminals(text).structured.airline).toBe(code)
  }
  for (const ask of [bags, terminals]) {
    expect(ask('Rynair').text).toMatch(/^If Ryanair was meant: /)
    expect(ask('Delta').text).not.toContain('was meant')
  }
  const trip = tripOf({ bags: false, lane: 'standard', check_in: 'online', airline: 'Rynair' }, JFK, airportDirectory())
  expect(trip.airline).toBe('FR')
  expect(trip.assumptions).toContainEqual({
    name: 'airline',
    value: 'FR',
    source: 'assumed: if Ryanair was meant',
  })
})

test.each([
  ['UA1234', 'UA'],
  ['DL 123', 'DL'],
  ['ba-177', 'BA'],
  ['BAW177', 'BA'],
  ['EZY', 'U2'],
  ['EJU 81A', 'U2'],
  ['6E2145', '6E'],
  ['ezy12', 'U2'],
])('a flight number or designator names its airline: %s', (text, code) => {
  expect(airlineByCode(text)).toMatchObject({ code, corrected: false })
  expect(findAirline(text).iata).toBe(code)
})

test.each([
  ['Lufthansa 400', 'LH'],
  ['Frontier 2187', 'F9'],
  ['delta flight 123', 'DL'],
  ['United-1234', 'UA'],
  ['全日空 12', 'NH'],
  ['Jet2', 'LS'],
])('a number behind the name of an airline is that of a flight: %s', (text, code) => {
  expect(airlineByCode(text)).toMatchObject({ code, corrected: false })
  expect(findAirline(text).iata).toBe(code)
})

test('a number behind the name of an airline that is no more changes nothing', () => {
  expect(() => airlineByCode('Spirit 123')).toThrow(/Spirit Airlines ended its flights/)
  expect(airlineByCode('Alitalia 610')).toMatchObject({ code: 'AZ', change: expect.stringContaining('ITA Airways') })
})

test('an unknown designator is asked about, not guessed', () => {
  expect(() => airlineByCode('XQZ 123')).toThrow(/must be an IATA airline code .* a flight number, like DL 123/)
  expect(() => findAirline('XQZ123')).toThrow(/no airline is known here as "XQZ123"/)
})

describe('an airline that is no more', () => {
  it.each([
    ['US Airways', 'AA', 'merged into American Airlines (AA) on 17 October 2015'],
    ['usair', 'AA', 'merged into American Airlines'],
    ['Continental', 'UA', 'merged into United Airlines'],
    ['Virgin America', 'AS', 'merged into Alaska Airlines'],
    ['Alitalia', 'AZ', 'ended its flights on 15 October 2021, and ITA Airways (AZ) took its place'],
    ['VX 12', 'AS', 'merged into Alaska Airlines'],
  ])('%s is answered with what became of it', (text, code, change) => {
    expect(airlineByCode(text)).toMatchObject({ code, corrected: false, change: expect.stringContaining(change) })
    expect(findAirline(text)).toMatchObject({ iata: code, corrected: false, change: expect.stringContaining(change) })
  })

  it.each(['Spirit', 'Spirt', 'NK', 'NK 123', 'Monarch', 'Thomas Cook', 'Air Berlin'])(
    'nobody can fly with %s',
    (text) => {
      expect(() => airlineByCode(text)).toThrow(/ended its flights on .*: name the airline that you fly with/)
    },
  )

  it('the bags of one that ceased are the former ones, and unknown where they were never known', () => {
    expect(findAirline('Spirt')).toMatchObject({ iata: 'NK', change: expect.stringContaining('ended its flights') })
    expect(callOf(getAirlineBaggagePolicyTool, { airline: 'Spirit' }).text).toMatch(
      /^Spirit Airlines ended its flights on 2 May 2026: do not plan with it/,
    )
    expect(() => findAirline('Monarch')).toThrow(/Monarch Airlines ended its flights on 2 October 2017/)
  })

  it('a code or name that another airline has today means that one', () => {
    expect(airlineByCode('MX 12')).toMatchObject({ code: 'MX', change: null })
    expect(airlineByCode('AZ 12')).toMatchObject({ code: 'AZ', change: null })
    for (const { airline } of CABIN_BAGS.rows().filter(({ iata }) => iata !== 'NK'))
      expect(findAirline(airline).change, airline).toBeNull()
  })
})

describe('an airline that is named with its fare or in its own script', () => {
  it.each([
    ['United Basic Economy', 'UA'],
    ['Delta Main Basic', 'DL'],
    ['Air Canada Basic', 'AC'],
  ])('%s is %s', (text, code) => {
    expect(airlineByCode(text)).toMatchObject({ code, corrected: false })
  })
  it.each([
    ['United Basic Economy', 'basic economy'],
    ['Delta Comfort+', 'comfort'],
    // Its fees are listed.
    ['Delta Main Basic', null],
    ['United', null],
  ])('%s: fare %s', (airline, fare) => {
    const { structured, text } = callOf<{ fare: string | null }>(getAirlineBaggagePolicyTool, { airline })
    expect(structured.fare).toBe(fare)
    expect(text.startsWith(`What the fare “${fare}” has apart is not known here. `)).toBe(fare !== null)
  })
})
