import fc from 'fast-check'
import { DateTime, IANAZone } from 'luxon'
import { describe, expect, it, test } from 'vitest'
import { localTime } from '../../../answers/statements/local-time.ts'
import { checkTimeZones } from '../../../bin/commands/doctor.ts'
import { versionText } from '../../../bin/runtime/version.ts'
import { airportDirectory } from '../../../config/airports/directory.ts'
import {
  instantsOfLocalTime,
  isZone,
  offsetFinder,
  offsetsBetween,
  zoneOf,
} from '../../../config/time-zones/local-time.ts'
import { rulesText, rulesVersions, transitionsOf, zoneName, zoneNames } from '../../../config/time-zones/rules.ts'
import { HOUR_MS, MINUTE_MS } from '../../../config/vocabulary.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { testValues } from '../../values.ts'

const DIRECTORY_ZONES = [...new Set(airportDirectory().all.map(({ timezone }) => timezone))]

const isoMinutes = (instant: number) => new Date(instant).toISOString().slice(0, 16)

testValues('config/time-zones/rules.json', {
  localTime: (zone: string, at: string) => {
    const local = localTime(Date.parse(at), zone)
    expect(DateTime.fromISO(at, { zone: zoneOf(zone) }).toFormat("yyyy-MM-dd'T'HH:mm:ssZZ")).toBe(local)
    expect(DateTime.fromISO(local.slice(0, 19), { zone: zoneOf(zone) }).toMillis()).toBe(Date.parse(at))
    return local
  },
  hoursOfChange: (zone: string, at: string) => {
    const [before, after] = [Date.parse(at) - 1, Date.parse(at)].map(offsetFinder(zone)) as [number, number]
    return (after - before) / HOUR_MS
  },
  offsetOf: (zone: string) => offsetFinder(zone)(Date.UTC(2026, 6, 1)) / HOUR_MS,
  isZone: (name: string) => {
    expect(isZone(name)).toBe(false)
    return zoneOf(name)
  },
  zoneName,
  instantsOfLocalTime: (zone: string, local: string) =>
    instantsOfLocalTime(zone, Date.parse(`${local}Z`)).map(isoMinutes),
  rulesText,
  checkTimeZones,
})

/** Zones whose clocks the rules of 2026 changed; Node.js may not know it yet. */
const CHANGED_IN_2026 = [
  'America/Vancouver',
  'America/Edmonton',
  'America/Yellowknife',
  'America/Inuvik',
  'America/Winnipeg',
  'America/Havana',
  'Africa/Casablanca',
  'Africa/El_Aaiun',
]
/** Zones whose past was corrected after the rules of Node.js 20 were made. */
const CORRECTED_SINCE = ['America/Bogota', 'Asia/Tehran', 'Europe/Chisinau']
const FIRST_CHANGE = Date.UTC(2026, 0, 1)

describe('the second implementation: Node.js', () => {
  const { runtime, is_runtime_newer } = rulesVersions()
  const isComparable = runtime !== null && !is_runtime_newer

  /** Instants about every change of a zone and between them, and drawn ones. */
  function instantsOf(zone: string): number[] {
    const changes = [...transitionsOf(zone)!.begins_ms].filter(
      (instant) => instant > Date.UTC(1970, 0, 1) && instant < Date.UTC(2041, 0, 1),
    )
    const near = changes
      .filter((_, index) => EXHAUSTIVE || index % 4 === 0)
      .flatMap((instant) => [instant - 1_000, instant])
    const drawn = fc.sample(fc.integer({ min: 0, max: Date.UTC(2041, 0, 1) - 1 }), repetitions(20, 400))
    return near.concat(drawn)
  }

  it.skipIf(!isComparable)(
    'has the same offset in every zone of the directory, 1970 to 2040, but for the changes of 2026',
    {
      timeout: 120_000,
    },
    () => {
      expect(DIRECTORY_ZONES.length).toBeGreaterThan(250)
      const different = new Set<string>()
      for (const zone of DIRECTORY_ZONES) {
        const offsetAt = offsetFinder(zone)
        const theirs = IANAZone.create(zone)
        for (const instant of instantsOf(zone))
          if (Math.abs(theirs.offset(instant) * MINUTE_MS - offsetAt(instant)) >= 1_000) {
            if (instant < FIRST_CHANGE && !CORRECTED_SINCE.includes(zone))
              expect.fail(`${zone} at ${new Date(instant).toISOString()}: ${theirs.offset(instant)} min`)
            different.add(zone)
          }
      }
      expect([...different].filter((zone) => ![...CHANGED_IN_2026, ...CORRECTED_SINCE].includes(zone))).toEqual([])
    },
  )

  it.skipIf(runtime === null || runtime > '2026')('is an hour off at some 290 airports in November 2026', () => {
    const instant = Date.UTC(2026, 10, 25, 12)
    const wrong = airportDirectory().all.filter(
      ({ timezone }) => IANAZone.create(timezone).offset(instant) * MINUTE_MS !== offsetFinder(timezone)(instant),
    )
    expect(wrong.length).toBeGreaterThan(250)
    expect(wrong.every(({ country }) => ['CA', 'CU', 'MA', 'EH'].includes(country))).toBe(true)
  })
})

describe('names', () => {
  it('of every airport are known', () => {
    expect(DIRECTORY_ZONES.filter((zone) => !isZone(zone))).toEqual([])
    expect(zoneNames().length).toBeGreaterThan(590)
  })

  it.each([
    ['America/Nuuk', 'America/Godthab'],
    ['Europe/Kyiv', 'Europe/Kiev'],
  ])('%s is that of the directory, and its former name %s is still read', (name, former) => {
    expect(DIRECTORY_ZONES).toContain(name)
    expect(DIRECTORY_ZONES).not.toContain(former)
    const winter = Date.UTC(2026, 0, 15)
    expect(offsetFinder(former)(winter)).toBe(offsetFinder(name)(winter))
  })
})

describe('local times', () => {
  test('every instant is one of those of its own local time', () => {
    const zones = fc.constantFrom(...zoneNames())
    const instants = fc.integer({ min: 0, max: Date.UTC(2040, 11, 31) })
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const found = instantsOfLocalTime(zone, instant + offsetFinder(zone)(instant))
        expect(found).toContain(instant)
        expect(found.toSorted((a, b) => a - b)).toEqual(found)
      }),
      { numRuns: repetitions(500, 20_000) },
    )
  })

  it('a list of coming offsets begins with the present one', () => {
    const from = Date.parse('2026-10-01T00:00:00Z')
    expect(offsetsBetween('Europe/Berlin', from, from + 60 * 24 * HOUR_MS)).toEqual([
      { from_ms: from, offset_ms: 2 * HOUR_MS },
      { from_ms: Date.parse('2026-10-25T01:00:00Z'), offset_ms: HOUR_MS },
    ])
    expect(offsetsBetween('America/Vancouver', from, from + 365 * 24 * HOUR_MS)).toEqual([
      { from_ms: from, offset_ms: -7 * HOUR_MS },
    ])
  })

  it('an offset has the name that Node.js gives it, and none where Node.js has another offset', () => {
    const instant = DateTime.fromISO('2026-11-25T12:00:00Z')
    expect(instant.setZone(zoneOf('America/New_York')).offsetNameLong).toBe('Eastern Standard Time')
    expect(instant.setZone(zoneOf('America/New_York')).offsetNameShort).toBe('EST')
    expect(instant.setZone(zoneOf('America/Vancouver')).offsetNameLong).not.toMatch(/^Pacific Standard Time$/)
  })
})

describe('the version of the rules', () => {
  it('is named beside that of Node.js', () => {
    expect(rulesVersions('2025c')).toMatchObject({ runtime: '2025c', is_runtime_newer: false })
    expect(rulesVersions().ours).toMatch(/^20\d\d[a-z]$/)
  })

  it.each([
    ['2026e', false],
    ['2026f', false],
    ['2026g', true],
    ['2026za', true],
    ['2027a', true],
    ['2025z', false],
    [null, false],
  ])('%s of Node.js is newer than 2026f: %s', (runtime, is_runtime_newer) => {
    const { ours } = rulesVersions()
    if (ours !== '2026f') return
    expect(rulesVersions(runtime).is_runtime_newer).toBe(is_runtime_newer)
  })

  it('is printed by --version', () => {
    expect(versionText()).toMatch(/^holdshort \d+\.\d+\.\d+ \(time zone rules 20\d\d[a-z]; Node's 20\d\d[a-z].*\)$/)
  })

  it('doctor warns with what to do when Node.js has newer rules', () => {
    expect(checkTimeZones({ ours: '2026f', runtime: '2027a', is_runtime_newer: true })).toMatchObject({
      level: 'warning',
      says: expect.stringMatching(/2026f.*newer \(2027a\).*npm run time-zones/),
    })
  })
})
