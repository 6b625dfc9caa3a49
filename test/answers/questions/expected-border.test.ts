import { describe, expect, test } from 'vitest'
import { expectedBorder, expectedBorderTerminals } from '../../../answers/questions/expected-border.ts'
import { HOUR_MS } from '../../../config/vocabulary.ts'
import {
  type BorderForecast,
  type BorderQueue,
  borderForecasts,
} from '../../../warehouse/publishing/read/border-forecasts.ts'
import { readTime } from '../../../warehouse/publishing/read/read-time.ts'
import type { Snapshot } from '../../../warehouse/publishing/snapshot/snapshot.ts'

const NOW = Date.parse('2026-11-22T14:35:00Z')
const HOUR = Date.parse('2026-11-22T14:00:00Z')

describe('a queue without a current forecast of its own', () => {
  const snapshotOf = (own: BorderForecast[]) =>
    borderForecasts.read(borderForecasts.index({ border_forecasts: own }), readTime(NOW, NOW)) as Snapshot
  const expected = (iata: string, queue: BorderQueue = {}, own: BorderForecast[] = []) =>
    expectedBorder(snapshotOf(own), iata, queue, NOW)

  test('is typical at a Schengen airport, entry and exit alike, with the error of a US airport left out', () => {
    const entry = expected('MAD', { direction: 'entry' })!
    expect(entry).toMatchObject({ basis: 'typical', terminal: '', direction: 'entry', start_ms: HOUR })
    expect(entry.hours).toHaveLength(168)
    for (const hour of entry.hours) {
      expect(hour).toEqual(entry.hours[0])
      expect(hour!.p10).toBeLessThan(hour!.p50)
      expect(hour).toMatchObject({ samples: null, confidence: null })
    }
    expect(entry.backtest.coverage_80).toBeGreaterThan(0.77)
    expect(entry.note).toContain('No European border queue was among them')
    const exit = expected('MAD', { direction: 'exit' })!
    expect(exit.note).toContain('nor was any queue of people who leave')
    expect(expected('MAD', { direction: 'unknown' })).toBeNull()
  })

  test('is typical by hour of the week at a US airport and terminal with recent figures, and one range at the others', () => {
    const miami = expected('MIA')!
    expect(new Set(miami.hours.map((hour) => hour?.p50)).size).toBeGreaterThan(3)
    expect(miami.backtest).toMatchObject({ coverage_80: expect.closeTo(0.8, 1) })
    expect(miami.hours[0]).toMatchObject({ confidence: miami.backtest.within_5 })
    expect(expectedBorderTerminals(snapshotOf([]), 'MIA')).toContain('South Terminal')
    expect(expected('MIA', { terminal: 'South Terminal' })).toMatchObject({ terminal: 'South Terminal' })
    expect(expected('MIA', { terminal: 'Nowhere' })).toBeNull()
    const newYork = expected('JFK')!
    expect(new Set(newYork.hours.map((hour) => hour?.p50)).size).toBe(1)
  })

  test('has nothing at airports of other countries, in the air over fields without scheduled flights, and in unknown places', () => {
    for (const iata of ['GRU', 'HND', 'XXX']) expect(expected(iata), iata).toBeNull()
  })

  test('a forecast of its own comes first, until its last hour has passed', () => {
    const own = {
      ...expected('MAD', { direction: 'entry' })!,
      basis: 'predicted',
      version: 'own',
    } as const
    const current = { ...own, hours: own.hours.slice(0, 3) }
    expect(expected('MAD', { direction: 'entry' }, [current])!.version).toBe('own')
    const past = { ...current, start_ms: HOUR - 3 * HOUR_MS }
    expect(expected('MAD', { direction: 'entry' }, [past])!.basis).toBe('typical')
  })
})
