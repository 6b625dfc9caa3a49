import { describe, expect, it, test } from 'vitest'
import { parseNotam, splitSchedule } from '../../../../pipeline/collectors/faa/notam.ts'
import { parseClosedHours } from '../../../../warehouse/tables/closure.ts'

const instants = (text: string) => {
  const { period } = parseNotam(text)
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return period && [iso(period.start), iso(period.end)]
}

describe('parseNotam', () => {
  it('splits number, body and period', () => {
    const notam = parseNotam('!PVD 08/055 PVD AD AP CLSD EXC HEL DLY 0430-0945 2608110430-2608220945')
    expect(notam.id).toBe('PVD 08/055')
    expect(notam.body).toBe('AD AP CLSD EXC HEL DLY 0430-0945')
    expect(notam.period).toEqual({ start: Date.parse('2026-08-11T04:30Z'), end: Date.parse('2026-08-22T09:45Z') })
  })

  it('keeps other text as the body', () => {
    expect(parseNotam('airport closed')).toEqual({ id: null, body: 'airport closed', period: null })
  })

  test.each([
    ['X 2605271826-2705281600', ['2026-05-27T18:26:00.000Z', '2027-05-28T16:00:00.000Z']],
    ['X 2605271826-2705281600EST', ['2026-05-27T18:26:00.000Z', '2027-05-28T16:00:00.000Z']],
    ['X 2605271826-2705281600 EST.', ['2026-05-27T18:26:00.000Z', '2027-05-28T16:00:00.000Z']],
    ['X 2605271826-PERM', ['2026-05-27T18:26:00.000Z', null]],
    ['X WIE-UFN', [null, null]],
  ])('reads the period of %s', (text, expected) => expect(instants(text)).toEqual(expected))

  test.each([
    'X',
    'X 310-258-9884',
    'X 0430-0945',
    'X 2613271826-2705281600',
    'X 2605271826-2702301600',
    'X 26052718-27052816',
  ])('reads no period from %s', (text) => expect(instants(text)).toBeNull())
})

describe('splitSchedule', () => {
  test.each([
    ['AD AP CLSD EXC HEL DLY 0430-0945', '0430-0945', 'AD AP CLSD EXC HEL'],
    ['AD AP CLSD DLY 2200-0600', '2200-0600', 'AD AP CLSD'],
    ['AD AP CLSD DLY 0430-0945 1200-1400', '0430-0945, 1200-1400', 'AD AP CLSD'],
    ['AD AP CLSD WED THU FRI SUN MON TUE 0500-1300', 'WED THU FRI SUN MON TUE 0500-1300', 'AD AP CLSD'],
    ['AD AP CLSD FRI-MON 0500-1300', 'FRI SAT SUN MON 0500-1300', 'AD AP CLSD'],
    ['AD AP CLSD MON-WED 0500-1300, SAT AND SUN 0700-0900', 'MON TUE WED 0500-1300, SAT SUN 0700-0900', 'AD AP CLSD'],
    ['AD AP CLSD SAT SUN', 'SAT SUN 0000-2400', 'AD AP CLSD'],
    ['AD AP CLSD DLY 0430-0945 EXC HEL', '0430-0945', 'AD AP CLSD EXC HEL'],
    ['AD AP CLSD EXC PPR 310-258-9884', null, 'AD AP CLSD EXC PPR 310-258-9884'],
    ['AD AP CLSD DLY', null, 'AD AP CLSD'],
    ['', null, ''],
  ])('%s', (body, hours, rest) => {
    expect(splitSchedule(body)).toEqual({ closed_hours_utc: hours, rest, readable: true })
    if (hours !== null) expect(parseClosedHours(hours)).not.toBeNull()
  })

  test.each([
    'AD AP CLSD DLY SR-SS',
    'AD AP CLSD DLY SS-1300',
    'AD AP CLSD SR-SS',
    'AD AP CLSD DLY 0430-0945 EXC SUN',
    'AD AP CLSD EXC SUN 0500-1300',
    'AD AP CLSD DLY 0430-2660',
    'AD AP CLSD MON 0500-1300 EXC HOL',
  ])('does not support %s', (body) =>
    expect(splitSchedule(body)).toMatchObject({ closed_hours_utc: null, readable: false }),
  )
})
