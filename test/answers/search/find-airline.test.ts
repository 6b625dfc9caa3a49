import { describe, expect, it, test } from 'vitest'
import { tripOf } from '../../../answers/departure/trip.ts'
import { airlineByCode, findAirline } from '../../../answers/search/find-airline.ts'
import { getAirlineBaggagePolicyTool } from '../../../api/data/tools/get-airline-baggage-policy.ts'
import { getTerminalsTool } from '../../../api/data/tools/get-terminals.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { AIRLINE_NAMES } from '../../../config/reference/airline-names.ts'
import { CABIN_BAGS } from '../../../config/reference/bags.ts'
import { callOf } from '../../api/data/tools/run-tool.ts'

const JFK = airportDirectory().byIata.get('JFK')!

describe('the airline that a text means', () => {
  it.each([
    ['DL', 'DL'],
    ['dl', 'DL'],
    ['Delta', 'DL'],
    ['delta airlines', 'DL'],
    ['Delta Air Lines', 'DL'],
    ['Spirit', 'NK'],
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
    ['Spirt', 'NK'],
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
    ['Spirt', 'NK'],
    ['sas', 'SK'],
  ] as const) {
    expect(bags(text).structured.iata).toBe(code)
    expect(terminals(text).structured.airline).toBe(code)
  }
  for (const ask of [bags, terminals]) {
    expect(ask('Spirt').text).toMatch(/^If Spirit Airlines was meant: /)
    expect(ask('Delta').text).not.toContain('was meant')
  }
  const trip = tripOf({ bags: false, lane: 'standard', check_in: 'online', airline: 'Spirt' }, JFK, airportDirectory())
  expect(trip.airline).toBe('NK')
  expect(trip.assumptions).toContainEqual({
    name: 'airline',
    value: 'NK',
    source: 'assumed: if Spirit Airlines was meant',
  })
})
