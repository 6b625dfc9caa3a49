import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoUtc } from '../../../config/domain.ts'
import { replaceCaptures } from '../../../warehouse/storage/replace-captures.ts'
import { rollUp } from '../../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../../warehouse/storage/warehouse.ts'
import { readings } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { reading } from '../test-rows.ts'

const START = Date.parse('2026-11-20T10:00:00Z')
const MINUTE = 60_000
const SETTLED = 15 * MINUTE

interface Hour {
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

const figuresOf = ({ mean, samples }: Pick<Hour, 'mean' | 'samples'>) => `${mean}/${samples}`

/** Applies one rollup to all versions so far, row by row, as the documents say it. */
function applied(versions: Map<string, Version[]>, rows: readonly Hour[], now: number): void {
  const found = new Map(rows.map((row) => [`${row.level} ${row.hour}`, row]))
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

/** What happens at a minute: readings of a minute arrive or are parsed anew, or vanish; then the hours are rolled up. */
const event = fc.record({
  after: fc.nat(50),
  change: fc.constantFrom('land', 'replay', 'drop', 'nothing'),
  at: fc.nat(110),
  wait: fc.nat(40),
})

test('what was known when: rows as of any instant are those of the rollup of then, by brute force', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 2, maxLength: 9 }),
      fc.array(fc.nat(600), { minLength: 3 }),
      async (events, instants) => {
        const warehouse = await openWarehouse(await temporaryFolder())
        const versions = new Map<string, Version[]>()
        let minute = 0
        const captures: number[] = []
        for (const { after, change, at, wait } of [{ after: 30, change: 'land', at: 5, wait: 7 }, ...events]) {
          minute += after
          const now = START + minute * MINUTE
          const row = (capture: number, observed: number) =>
            reading({
              observed_at: isoUtc(START + Math.min(observed, minute) * MINUTE),
              fetched_at: isoUtc(now),
              available_at: isoUtc(now),
              capture_id: `c${capture}`,
              wait_minutes: wait,
            })
          const earlier = captures[at % Math.max(1, captures.length)]
          if (change === 'land') {
            captures.push(captures.length)
            await warehouse.land(readings, [row(captures.length - 1, at)])
          } else if (change !== 'nothing' && earlier !== undefined)
            await warehouse.maintain((context) =>
              replaceCaptures(context, readings, [`c${earlier}`], change === 'replay' ? [row(earlier, at)] : []),
            )
          await warehouse.maintain((context) => rollUp(context, { now }))
          const hours = await warehouse.query<Hour>("SELECT * FROM rollups WHERE level IN ('airport', 'lane')")
          applied(versions, hours, now)
        }
        await warehouse.openToAnalysts()
        for (const after of instants) {
          const instant = START + after * MINUTE
          const expected = [...versions].flatMap(([key, all]) =>
            all.flatMap((version) =>
              version.from <= instant && (version.to === null || version.to > instant)
                ? [`${key} ${figuresOf(version)}`]
                : [],
            ),
          )
          const known = await warehouse.query<Hour>(
            `SELECT * FROM rollups_as_of('${isoUtc(instant)}') WHERE level IN ('airport', 'lane')`,
          )
          expect(known.map((row) => `${row.level} ${row.hour} ${figuresOf(row)}`).sort()).toEqual(expected.sort())
        }
        const [stored] = await warehouse.query<{ n: number }>(
          "SELECT count(*) AS n FROM rollup_history WHERE level IN ('airport', 'lane')",
        )
        expect(stored?.n).toBe([...versions.values()].flat().filter(({ to }) => to !== null).length)
        await warehouse.close()
      },
    ),
    { numRuns: repetitions(1, 30), endOnFailure: true },
  )
}, 300_000)

test('rolling up again without a change keeps no history', async () => {
  const warehouse = await openWarehouse(await temporaryFolder())
  await warehouse.land(readings, [
    reading({ wait_minutes: 3 }),
    reading({ observed_at: '2026-11-20T10:07:00Z', wait_minutes: 4 }),
  ])
  for (const after of [0, 60, 1_200])
    await warehouse.maintain((context) => rollUp(context, { all: true, now: START + after * MINUTE }))
  expect(await warehouse.query('SELECT count(*) AS n FROM rollup_history')).toEqual([{ n: 0 }])
  await warehouse.openToAnalysts()
  for (const table of ['readings', 'runs', 'forecasts', 'states'])
    expect(await warehouse.query(`SELECT * FROM ${table}_as_of('2026-11-19T00:00:00Z')`), table).toEqual([])
  await warehouse.close()
})
