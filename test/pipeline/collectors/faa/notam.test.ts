import { describe, expect, it } from 'vitest'
import { parseNotam } from '../../../../pipeline/collectors/faa/notam.ts'

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
})
