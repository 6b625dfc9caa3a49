import { describe, expect, it, test } from 'vitest'
import { reasonCategory } from '../../../../pipeline/collectors/faa/reason.ts'
import { hasSamples, sample } from '../faa-and-weather.ts'

describe('reasonCategory', () => {
  test.each([
    ['WX:Low Ceilings', 'weather'],
    ['WX VIS', 'weather'],
    ['WEATHER / THUNDERSTORMS', 'weather'],
    ['snow or Ice mitigation or treatment', 'weather'],
    ['ZDV/WX:WIND SHEAR', 'weather'],
    ['ZDC/VOL:Volume', 'volume'],
    ['airspace volume', 'volume'],
    ['TM Initiatives:MINIT:VOL', 'volume'],
    ['TM Initiatives:SWAP:WX', 'weather'],
    ['TM INITIATIVES:STOP:STAFFING', 'staffing'],
    ['TM Initiatives:MINIT: STAFFING', 'staffing'],
    ['STAFF:ZNY STAFFING', 'staffing'],
    ['RWY: DISABLED AIRCRAFT', 'runway'],
    ['disabled aircraft on the runway', 'runway'],
    ['TWY:CONSTRUCTION', 'runway'],
    ['EQ:RWY08R LGTG OTS', 'equipment'],
    ['equipment outage', 'equipment'],
    ['security', 'security'],
    ['VIPM:VIP Movement', 'security'],
    ['airport closed', 'closure'],
    ['OTHER:ZDC STOP', 'other'],
    ['MILITARY', 'other'],
    ['air show', 'other'],
  ])('reads %s as %s', (reason, category) => expect(reasonCategory(reason)).toBe(category))

  test.each(['', 'solar flare', 'customer service notice', 'TM Initiatives'])('does not know %j', (reason) =>
    expect(reasonCategory(reason)).toBeNull(),
  )

  it.skipIf(!hasSamples)('knows every reason of the public collections', () => {
    const reasons = sample('faa-nasstatus', 'reason-vocabulary.txt').split('\n').filter(Boolean)
    expect(reasons.length).toBeGreaterThan(80)
    expect(reasons.filter((reason) => reasonCategory(reason) === null)).toEqual([])
  })
})
