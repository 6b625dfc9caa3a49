import { expect, test, vi } from 'vitest'
import { airportFlag, airportsFlag } from '../../../bin/runtime/flags.ts'

test('an airport flag takes every code of an airport, and says on stderr that one is a former code', () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(['JFK', 'jfk', 'KJFK', 'kpbi', 'PBI'].map((code) => airportFlag('--iata', code))).toEqual([
    'JFK',
    'JFK',
    'JFK',
    'DJT',
    'DJT',
  ])
  expect(airportsFlag('fru', ['JFK'])).toEqual(['JFK', 'BSZ'])
  expect(stderr.mock.calls.map(([text]) => text)).toEqual([
    '--iata: KPBI is DJT since 18 August 2026.\n',
    '--iata: PBI is DJT since 18 August 2026.\n',
    '--airport: FRU is BSZ since 9 August 2025.\n',
  ])
  stderr.mockRestore()
  expect(() => airportFlag('--iata', 'TXL')).toThrow('--iata: TXL closed on 8 November 2020; BER took its place')
  expect(() => airportFlag('--iata', 'QQQ')).toThrow('"QQQ" is not the code of an airport')
})
