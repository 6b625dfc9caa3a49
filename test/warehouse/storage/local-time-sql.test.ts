import { expect, test } from 'vitest'
import { localClock } from '../../../config/time-zones/local-time.ts'
import { openAnalystSession } from '../../../warehouse/storage/analyst-session.ts'
import { openDuckdb, readRows } from '../../../warehouse/storage/duckdb.ts'
import { createLocalTime } from '../../../warehouse/storage/local-time-sql.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { rollups } from '../../../warehouse/tables/rollups.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { landedAt, reading } from '../test-rows.ts'
import { readAll } from './read-all.ts'

async function engine(someZones?: string[]) {
  const duckdb = await openDuckdb(await temporaryFolder())
  const connection = await duckdb.connect()
  await createLocalTime(connection, someZones)
  return (sql: string) => readRows<Record<string, unknown>>(connection, sql)
}

const SOME_ZONES = [
  'America/Vancouver',
  'America/Edmonton',
  'africa/casablanca',
  'US/Eastern',
  'Europe/London',
  'Mars/X',
]

test.each([SOME_ZONES, undefined])(
  'local_time follows our rules; an unknown zone has no local time (of %s)',
  async (someZones) => {
    const rows = await engine(someZones)
    const localTime = (instant: string, zone: string) => `local_time(${instant}, ${zone})::VARCHAR`
    const [row] = await rows(`SELECT
    ${localTime("TIMESTAMPTZ '2026-11-25 12:00:00Z'", "'America/Vancouver'")} AS vancouver,
    ${localTime("'2026-11-25T12:00:00Z'", "'america/EDMONTON'")} AS edmonton,
    ${localTime("'2026-11-25T12:00:00Z'", "'Africa/Casablanca'")} AS casablanca,
    ${localTime("'2026-11-25T12:00:00Z'", "'US/Eastern'")} AS eastern,
    ${localTime("'1975-07-01T12:00:00Z'", "'Europe/London'")} AS summer_of_1975,
    ${localTime("'2026-11-25T12:00:00Z'", "'Mars/Olympus'")} AS mars,
    ${localTime("'2026-11-25T12:00:00Z'", 'NULL')} AS nowhere,
    ${localTime('NULL', "'Europe/London'")} AS never`)
    expect(row).toEqual({
      vancouver: '2026-11-25 05:00:00',
      edmonton: '2026-11-25 06:00:00',
      casablanca: '2026-11-25 12:00:00',
      eastern: '2026-11-25 07:00:00',
      summer_of_1975: '1975-07-01 13:00:00',
      mars: null,
      nowhere: null,
      never: null,
    })
  },
)

test('local_time is that of the module at every hour about a change of the clocks', async () => {
  const rows = await engine()
  const zones = ['Australia/Lord_Howe', 'America/Vancouver', 'America/New_York', 'Africa/Casablanca']
  for (const zone of zones.slice(0, repetitions(1, zones.length))) {
    const hours = await rows(
      `SELECT epoch_ms(t) AS instant, hour(local_time(t, '${zone}')) AS local_hour, minute(local_time(t, '${zone}')) AS local_minute
       FROM (SELECT TIMESTAMPTZ '2025-09-01 00:00:00Z' + to_minutes(n * 30) AS t FROM range(30000) r(n)) ORDER BY instant`,
    )
    const clock = localClock(
      zone,
      hours.map(({ instant }) => Number(instant)),
    )
    expect(hours.map(({ local_hour }) => local_hour)).toEqual([...clock.hour])
    expect(hours.map(({ local_minute }) => local_minute)).toEqual([...clock.minute])
  }
})

test('rows of a view have the local time of their airport by our rules, once each', async () => {
  const warehouse = await newWarehouse()
  const places = ['YVR', 'YYC', 'YZF', 'CMN', 'JFK', 'XXX']
  const instant = '2026-11-25T12:00:00Z'
  await warehouse.land(
    readings,
    places.map((iata) => reading({ iata, ...landedAt(instant) })),
  )
  await warehouse.close()
  const session = await openAnalystSession(warehouse.data_dir)
  expect(
    await readAll(session, 'SELECT iata, local_time, local_hour, local_weekday FROM readings ORDER BY iata'),
  ).toEqual([
    ['CMN', '2026-11-25T12:00:00', '12', '3'],
    ['JFK', '2026-11-25T07:00:00', '7', '3'],
    ['XXX', null, null, null],
    ['YVR', '2026-11-25T05:00:00', '5', '3'],
    ['YYC', '2026-11-25T06:00:00', '6', '3'],
    ['YZF', '2026-11-25T06:00:00', '6', '3'],
  ])
  expect(rollups.local).toBe('hour')
  await session.close()
})
