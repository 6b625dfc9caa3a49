import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { tripOf } from '../../../answers/departure/trip.ts'
import { airlineByCode, findAirline } from '../../../answers/search/find-airline.ts'
import { getAirlineBaggagePolicyTool } from '../../../api/tools/get-airline-baggage-policy.ts'
import { getTerminalsTool } from '../../../api/tools/get-terminals.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { projectFile } from '../../../config/paths.ts'
import { AIRLINE_CHANGES } from '../../../config/reference/airline-changes.ts'
import { AIRLINE_CODES } from '../../../config/reference/airline-codes.ts'
import { AIRLINES } from '../../../config/reference/airlines.ts'
import { CABIN_BAGS } from '../../../config/reference/bags.ts'
import { callOf } from '../../api/tools/run-tool.ts'

const JFK = airportDirectory().byIata.get('JFK')!

test.each(
  readFileSync(projectFile('test', 'answers', 'search', 'airlines.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)('%s', (line) => {
  const [text = '', code = '', how = ''] = line.split(' | ')
  if (code === 'none') return expect(() => airlineByCode(text)).toThrow(new RegExp(how))
  const corrected = how === 'guess'
  const change = how.startsWith('change: ') ? expect.stringContaining(how.slice('change: '.length)) : null
  expect(airlineByCode(text)).toMatchObject({ code, corrected, change })
  if (how === 'no bags') expect(() => findAirline(text)).toThrow(/nothing is known here of the bags of/)
  else expect(findAirline(text)).toMatchObject({ iata: code, corrected, change })
})

describe('the airline that a text means', () => {
  it('every airline is found by the name and the code of its row', () => {
    for (const { airline, iata } of CABIN_BAGS.rows()) {
      expect(findAirline(airline).airline).toBe(airline)
      if (iata !== null) expect(findAirline(iata).airline, iata).toBe(airline)
    }
  })

  it('every airline that flies is found by its name, its code and each of its names', () => {
    for (const { airline, iata, names } of AIRLINES.rows())
      for (const text of [airline, iata, ...names])
        expect(airlineByCode(text), text).toMatchObject({ code: iata, corrected: false, change: null })
  })

  it('an ICAO designator is that of an airline that is known by its code', () => {
    const known = new Set([...AIRLINES.rows(), ...AIRLINE_CHANGES.rows()].map(({ iata }) => iata))
    expect(AIRLINE_CODES.rows().filter(({ iata }) => !known.has(iata))).toEqual([])
  })

  it('says that nothing is known of the bags of an airline that is known otherwise', () => {
    expect(() => findAirline('FlySafair')).toThrow(
      /nothing is known here of the bags of FlySafair \(FA\): ask the airline/,
    )
    expect(() => findAirline('Fly Safiar')).toThrow(/if FlySafair was meant: nothing is known here of the bags/)
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

test('an unknown designator is asked about, not guessed', () => {
  expect(() => airlineByCode('XQZ 123')).toThrow(/must be an IATA airline code .* a flight number, like DL 123/)
  expect(() => findAirline('XQZ123')).toThrow(/no airline is known here as "XQZ123"/)
})

describe('an airline that is no more', () => {
  it('the bags of one that ceased are the former ones, and unknown where they were never known', () => {
    expect(findAirline('Spirt')).toMatchObject({ iata: 'NK', change: expect.stringContaining('ended its flights') })
    expect(callOf(getAirlineBaggagePolicyTool, { airline: 'Spirit' }).text).toMatch(
      /^Spirit Airlines ended its flights on 2 May 2026: do not plan with it/,
    )
    expect(() => findAirline('Monarch')).toThrow(/Monarch Airlines ended its flights on 2 October 2017/)
    // Its code is Airblue's today.
    expect(() => findAirline('Pan Am')).toThrow(/Pan Am ended its flights on 4 December 1991; nothing is known here/)
  })

  it('a code or name that another airline has today means that one', () => {
    expect(airlineByCode('MX 12')).toMatchObject({ code: 'MX', change: null })
    expect(airlineByCode('AZ 12')).toMatchObject({ code: 'AZ', change: null })
    for (const { airline } of CABIN_BAGS.rows().filter(({ iata }) => iata !== 'NK'))
      expect(findAirline(airline).change, airline).toBeNull()
  })
})

it('shows the markup of an unknown name as text', () => {
  expect(() => findAirline('<img src=x>')).toThrow('no airline is known here as "‹img src=x›"')
})

describe('an airline that is named with its fare or in its own script', () => {
  it.each([
    ['United Basic Economy', 'basic economy'],
    ['Delta Comfort+', 'comfort'],
    ['Delta One', 'one'],
    ['Delta skis', 'skis'],
    // Its fees are listed.
    ['Delta Main Basic', null],
    ['United', null],
  ])('%s: fare %s', (airline, fare) => {
    const { structured, text } = callOf<{ fare: string | null }>(getAirlineBaggagePolicyTool, { airline })
    expect(structured.fare).toBe(fare)
    expect(text.startsWith(`What holds for “${fare}” alone is not known here. `)).toBe(fare !== null)
  })
})
