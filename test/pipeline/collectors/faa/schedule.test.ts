import { describe, expect, test } from 'vitest'
import { takeSchedule } from '../../../../pipeline/collectors/faa/notam.ts'
import { parseClosedHours } from '../../../../warehouse/tables/closure.ts'

describe('takeSchedule', () => {
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
    expect(takeSchedule(body)).toEqual({ closed_hours_utc: hours, rest, readable: true })
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
  ])('%s cannot be followed', (body) =>
    expect(takeSchedule(body)).toMatchObject({ closed_hours_utc: null, readable: false }),
  )
})
