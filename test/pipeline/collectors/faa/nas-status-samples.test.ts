import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faaNasStatus, readStatusTree } from '../../../../pipeline/collectors/faa/nas-status.ts'
import { closureInForce } from '../../../../warehouse/tables/closure.ts'
import { expectLandable } from '../context.ts'
import { contextAt, hasSamples, SAMPLES, sample } from '../faa-and-weather.ts'

const context = contextAt('2026-11-21T10:00:00Z')
const folder = (name: string) =>
  readdirSync(join(SAMPLES, 'faa-nasstatus', name)).flatMap((file) => (file.endsWith('.xml') ? [join(name, file)] : []))
const read = (file: string) => faaNasStatus.parse(sample('faa-nasstatus', file), context)

describe.skipIf(!hasSamples)('real captures (skipped where ../shared is absent)', () => {
  it('are all read without a notice', () => {
    const files = [...folder('.'), ...folder('edited')]
    expect(files).toHaveLength(7)
    for (const file of files) {
      const parsed = read(file)
      expectLandable('delays', parsed)
      expect(parsed.notices, file).toEqual([])
      expect(parsed.readings.length, file).toBeGreaterThan(0)
    }
  })

  it('2026-08-15: only PVD at night and ASE in its hours are closed to airlines', () => {
    const closures = read('2026-08-15T193846Z.xml').readings.filter((row) => row.type === 'closure')
    expect(closures.map((row) => [row.faa_id, row.closed_to_airlines, row.closed_hours_utc])).toEqual([
      ['PVD', true, '0430-0945'],
      ['CYS', false, '1800-2000'],
      ['LAX', false, null],
      ['HNL', false, null],
      ['PHL', false, null],
      ['LAS', false, null],
      ['ASE', true, 'WED THU FRI SUN MON TUE 0500-1300'],
      ['SAN', false, null],
    ])
    expect(closures.find((row) => row.faa_id === 'LAX')?.end).toBe('2027-05-28T16:00:00Z')
    const closedAt = (iso: string) =>
      closures.filter((row) => closureInForce(row, Date.parse(iso))).map((row) => row.faa_id)
    expect(closedAt('2026-08-15T19:38:46Z')).toEqual([])
    expect(closedAt('2026-08-15T06:00:00Z')).toEqual(['PVD'])
    expect(closedAt('2026-08-16T06:00:00Z')).toEqual(['PVD', 'ASE'])
    expect(closedAt('2026-08-16T12:59:00Z')).toEqual(['ASE'])
    expect(closedAt('2026-08-16T13:00:00Z')).toEqual([])
    expect(closedAt('2026-08-22T06:00:00Z')).toEqual(['PVD'])
    expect(closedAt('2026-08-23T06:00:00Z')).toEqual(['ASE'])
  })

  it("2024-03-12: the NOTAM's period is used instead of words in local time", () => {
    const las = read('2024-03-12T162959Z.xml').readings.find((row) => row.type === 'closure')
    expect(las).toMatchObject({ start: '2023-12-13T23:00:00Z', end: '2024-03-13T23:00:00Z', closed_to_airlines: false })
  })

  it('2011-06-22: a busy afternoon of the older feed, with unknown longest delays', () => {
    const tree = JSON.parse(sample('faa-nasstatus', 'json', '2011-06-22T194019Z_airport-status-information.json'))
    const parsed = readStatusTree(tree, context)
    expectLandable('delays', parsed)
    expect(parsed.notices).toEqual([])
    expect(parsed.readings).toHaveLength(12)
    expect(parsed.readings[0]).toMatchObject({ faa_id: 'ATL', type: 'ground_stop', end: '2011-06-22T20:00:00Z' })
    expect(parsed.readings[2]).toMatchObject({ faa_id: 'BOS', average_minutes: 46, max_minutes: null })
    expect(parsed.readings[6]).toMatchObject({ faa_id: 'DCA', min_minutes: 16, max_minutes: 30 })
  })
})
