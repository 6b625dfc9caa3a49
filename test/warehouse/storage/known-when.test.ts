import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoUtc } from '../../../config/vocabulary.ts'
import { openAnalystSession } from '../../../warehouse/storage/analyst-session.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import type { Warehouse } from '../../../warehouse/storage/warehouse.ts'
import { replaceCaptures } from '../../../warehouse/storage/write.ts'
import { type Reading, readings } from '../../../warehouse/tables/readings.ts'
import { rollupsKnownAt } from '../../../warehouse/tables/rollups.ts'
import { EXHAUSTIVE, repetitions } from '../../exhaustive.ts'
import { newWarehouse } from '../new-warehouse.ts'
import { reading } from '../test-rows.ts'

const START = Date.parse('2026-11-20T10:00:00Z')
const MINUTE = 60_000
const SETTLED = 15 * MINUTE

interface Hour {
  iata: string
  level: string
  hour: string
  available_at: string
  mean: number
  samples: number
}
interface Version extends Pick<Hour, 'mean' | 'samples'> {
  from: number
  to: number | null
}

const keyOf = ({ iata, level, hour }: Hour) => `${iata} ${level} ${hour}`
const figuresOf = ({ mean, samples }: Pick<Hour, 'mean' | 'samples'>) => `${mean}/${samples}`

/** Applies one rollup to all versions so far, row by row, as the documents say it. */
function applied(versions: Map<string, Version[]>, rows: readonly Hour[], now: number): void {
  const found = new Map(rows.map((row) => [keyOf(row), row]))
  for (const key of new Set([...versions.keys(), ...found.keys()])) {
    const all = versions.get(key) ?? []
    versions.set(key, all)
    const row = found.get(key)
    const current = all.find(({ to }) => to === null)
    if (row && current && figuresOf(row) === figuresOf(current)) continue
    const isSettled = current !== undefined && now - current.from >= SETTLED
    const available = row ? Date.parse(row.available_at) : Number.NEGATIVE_INFINITY
    if (current && isSettled) current.to = Math.max(available, now)
    else if (current) all.splice(all.indexOf(current), 1)
    if (!row) continue
    const from = current && isSettled ? Math.max(available, now) : Math.max(available, ...all.map(({ to }) => to!))
    all.push({ mean: row.mean, samples: row.samples, from, to: null })
  }
}

/** Histories that are told at the same time, each of an airport of its own: one rollup serves them all. */
const AIRPORTS = ['SEA', 'LAX', 'JFK', 'EWR', 'DEN', 'ORD']

/** What happens at a minute, at each airport: readings of a minute arrive or are parsed anew, or vanish; then the hours are rolled up. */
const event = fc.record({
  after: fc.nat(50),
  changes: fc.tuple(
    ...AIRPORTS.map(() =>
      fc.record({
        change: fc.constantFrom('land', 'replay', 'drop', 'nothing'),
        at: fc.nat(110),
        wait: fc.nat(40),
      }),
    ),
  ),
})
const FIRST = { after: 30, changes: AIRPORTS.map(() => ({ change: 'land', at: 5, wait: 7 })) }

/** The hours of the airport and its lanes. */
const storedHours = (warehouse: Warehouse) =>
  warehouse.query<Hour>("SELECT * FROM rollups WHERE level IN ('airport', 'lane')")

/** The version of an hour that was known at an instant. */
const knownAt = (all: readonly Version[], instant: number) =>
  all.find(({ from, to }) => from <= instant && (to === null || to > instant))

test.runIf(EXHAUSTIVE)(
  'what was known when: rows as of any instant are those of the rollup of then, by brute force',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 2, maxLength: 9 }),
        fc.array(fc.nat(600), { minLength: 3 }),
        async (events, instants) => {
          const warehouse = await newWarehouse()
          const versions = new Map<string, Version[]>()
          let minute = 0
          let landed = 0
          const captures = new Map<string, string[]>(AIRPORTS.map((iata) => [iata, []]))
          for (const { after, changes } of [FIRST, ...events]) {
            minute += after
            const now = START + minute * MINUTE
            const fetched = { fetched_at: isoUtc(now), available_at: isoUtc(now) }
            const [arriving, parsedAgain]: [Reading[], Reading[]] = [[], []]
            const removed: string[] = []
            for (const [k, { change, at: landed_at, wait }] of changes.entries()) {
              const iata = AIRPORTS[k]!
              const own = captures.get(iata)!
              const observed = {
                iata,
                observed_at: isoUtc(START + Math.min(landed_at, minute) * MINUTE),
                wait_minutes: wait,
              }
              const row = (capture_id: string) => reading(Object.assign({ capture_id }, observed, fetched))
              const earlier = own[landed_at % Math.max(1, own.length)]
              if (change === 'land') {
                own.push(`c${landed++}`)
                arriving.push(row(own.at(-1)!))
              } else if (change !== 'nothing' && earlier !== undefined) {
                removed.push(earlier)
                if (change === 'replay') parsedAgain.push(row(earlier))
              }
            }
            await warehouse.land(readings, arriving)
            if (removed.length > 0)
              await warehouse.write((context) => replaceCaptures(context, readings, removed, parsedAgain))
            await rollUp(warehouse, { now })
            applied(versions, await storedHours(warehouse), now)
          }
          const asOf = instants.map((after, k) => {
            const known = rollupsKnownAt(`'${isoUtc(START + after * MINUTE)}'`, 'rollups', 'rollup_history')
            return `SELECT ${k} AS k, * FROM (${known})`
          })
          const known = await warehouse.query<Hour & { k: number }>(
            `SELECT * FROM (${asOf.join(' UNION ALL ')}) WHERE level IN ('airport', 'lane')`,
          )
          for (const [k, after] of instants.entries()) {
            const instant = START + after * MINUTE
            const expected = [...versions].flatMap(([key, all]) => {
              const version = knownAt(all, instant)
              return version ? [`${key} ${figuresOf(version)}`] : []
            })
            const rows = known.filter((row) => row.k === k)
            expect(rows.map((row) => `${keyOf(row)} ${figuresOf(row)}`).sort()).toEqual(expected.sort())
          }
          const [stored] = await warehouse.query<{ n: number }>(
            "SELECT count(*) AS n FROM rollup_history WHERE level IN ('airport', 'lane')",
          )
          expect(stored?.n).toBe([...versions.values()].flat().filter(({ to }) => to !== null).length)
        },
      ),
      { numRuns: repetitions(1, 5), endOnFailure: true },
    )
  },
  300_000,
)

test('rolling up again without a change keeps no history', async () => {
  const warehouse = await newWarehouse()
  await warehouse.land(readings, [
    reading({ wait_minutes: 3 }),
    reading({ observed_at: '2026-11-20T10:07:00Z', wait_minutes: 4 }),
  ])
  for (const after of [0, 60, 1_200]) await rollUp(warehouse, { all: true, now: START + after * MINUTE })
  expect(await warehouse.query('SELECT count(*) AS n FROM rollup_history')).toEqual([{ n: 0 }])
  await warehouse.close()
  const session = await openAnalystSession(warehouse.data_dir)
  for (const table of ['rollups', 'readings', 'runs', 'forecasts', 'states']) {
    const { chunks } = await session.stream(`SELECT count(*) FROM ${table}_as_of('2026-11-19T00:00:00Z')`)
    for await (const chunk of chunks) expect(chunk, table).toEqual([['0']])
  }
  await session.close()
})
