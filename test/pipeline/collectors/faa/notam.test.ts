import { describe, expect, it, test } from 'vitest'
import { parseNotam } from '../../../../pipeline/collectors/faa/notam.ts'

const instants = (text: string) => {
  const { period } = parseNotam(text)
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return period && [iso(period.start), iso(period.end)]
}

describe('parseNotam', () => {
  it('takes number, body and period apart', () => {
    const notam = parseNotam('!PVD 08/055 PVD AD AP CLSD EXC HEL DLY 0430-0945 2608110430-2608220945')
    expect(notam.id).toBe('PVD 08/055')
    expect(notam.body).toBe('AD AP CLSD EXC HEL DLY 0430-0945')
    expect(notam.period).toEqual({ start: Date.parse('2026-08-11T04:30Z'), end: Date.parse('2026-08-22T09:45Z') })
  })

  it('leaves plain words as they are', () => {
    expect(parseNotam('airport closed')).toEqual({ id: null, body: 'airport closed', period: null })
  })

  test.each([
    ['X 2605271826-2705281600', ['2026-05-27T18:26:00.000Z', '2027-05-28T16:00:00.000Z']],
    ['X 2605271826-2705281600EST', ['2026-05-27T18:26:00.000Z', '2027-05-28T16:00:00.000Z']],
    ['X 2605271826-2705281600 EST.', ['2026-05-27T18:26:00.000Z', '2027-05-28T16:00:00.000Z']],
    ['X 2605271826-PERM', ['2026-05-27T18:26:00.000Z', null]],
    ['X WIE-UFN', [null, null]],
  ])('period of %s', (text, expected) => expect(instants(text)).toEqual(expected))

  test.each([
    'X',
    'X 310-258-9884',
    'X 0430-0945',
    'X 2613271826-2705281600',
    'X 2605271826-2702301600',
    'X 26052718-27052816',
  ])('%s has no period', (text) => expect(instants(text)).toBeNull())
})
