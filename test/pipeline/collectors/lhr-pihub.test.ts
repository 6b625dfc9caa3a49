import { expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { lhrPihub } from '../../../pipeline/collectors/lhr-pihub.ts'
import { fixture, parseAs } from './context.ts'

it("leaves out queues of another kind than the source's", () => {
  for (const [source, other] of [
    ['lhr-pihub', 'lhr-immigration.json'],
    ['lhr-immigration', 'lhr-security.json'],
  ] as const) {
    const { readings, notices } = parseAs(source, fixture(other), 'LHR')
    expect(readings).toEqual([])
    expect(new Set(notices.map(({ code }) => code))).toEqual(new Set(['queue_unknown']))
  }
})

it('uses the unit that a row names, and reads no number of an unknown unit', () => {
  const withUnit = (name: string) => fixture('lhr-security.json').replaceAll('"minute"', JSON.stringify(name))
  expect(parseAs('lhr-pihub', withUnit('second'), 'LHR').readings[0]?.wait_minutes_high).toBe(10 / 60)
  const unknown = parseAs('lhr-pihub', withUnit('parsec'), 'LHR')
  expect(unknown.readings[0]?.wait_minutes_high).toBeNull()
  expect(unknown.notices.map(({ code }) => code)).toContain('unit_unknown')
})

it('requests each terminal', () => {
  const source = sourceById('lhr-pihub')
  const requests = lhrPihub.request({ source, airports: ['LHR'], now: 0, learned_keys: {}, icaoOf: () => null })
  expect(requests.map(({ url }) => url.slice(-1))).toEqual(['2', '3', '4', '5'])
})
