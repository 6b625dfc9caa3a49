import { describe, expect, it } from 'vitest'
import { notamPeriod, readClosure } from '../../../../pipeline/collectors/faa/closure.ts'

describe('readClosure', () => {
  it('reads number, hours and audience, in upper or lower case', () => {
    expect(readClosure('!PVD 08/055 PVD ad ap clsd exc hel dly 0430-0945 2608110430-2608220945')).toMatchObject({
      notam: { id: 'PVD 08/055' },
      closed_to_airlines: true,
      closed_hours_utc: '0430-0945',
    })
  })

  it('is not closed to airlines when the hours cannot be read', () => {
    const atNight = 'AD AP CLSD DUE TO CONSTRUCTION DLY SS-SR'
    expect(readClosure('AD AP CLSD DUE TO CONSTRUCTION').closed_to_airlines).toBe(true)
    expect(readClosure(atNight)).toMatchObject({ closed_to_airlines: null, closed_hours_utc: null })
    expect(readClosure('AD AP CLSD TO TRANSIENT ACFT DLY SS-SR').closed_to_airlines).toBe(false)
  })
})

it('notamPeriod gives instants, no end for PERM, and null without a period', () => {
  const period = (text: string) => notamPeriod(readClosure(text).notam)
  expect(period('AD AP CLSD 2608110430-PERM')).toEqual({ start: '2026-08-11T04:30:00Z', end: null })
  expect(period('AD AP CLSD')).toBeNull()
})
