import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { textTable } from '../../bin/runtime/output.ts'
import { getOrCreate } from '../../config/once.ts'
import { DAY_MS, HOUR_MS } from '../../config/vocabulary.ts'
import { mean } from '../../forecasting/statistics/statistics.ts'
import { rollup } from '../../test/warehouse/test-rows.ts'
import { historyRows } from '../../training/research/history-files.ts'
import {
  MIN_HOURS_BEFORE,
  MIN_STILL_HOURS,
  stillWaits,
  USUAL_DAYS,
} from '../../warehouse/publishing/waits/still-waits.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { rollups } from '../../warehouse/tables/rollups.ts'

/*
 * On how many days of real history the rule of waits that stand still finds a feed, each airport taken for a source of its own.
 *
 *   npm run --silent build && node dist/tools/measure/still-waits.js ../shared/history/{security,cbp}-*
 */

const { positionals } = parseArgs({ allowPositionals: true })

/** The waits for everybody of a folder, in minutes, by airport and hour. */
function waitsIn(folder: string): Map<string, Map<number, number[]>> {
  const waits = new Map<string, Map<number, number[]>>()
  for (const row of historyRows(folder)) {
    if (!row.wait_minutes || !/^(all|standard|general)$/i.test(row.lane!)) continue
    const hour = Math.floor(Date.parse(row.observed_at!) / HOUR_MS) * HOUR_MS
    const hours = getOrCreate(waits, row.airport!, () => new Map<number, number[]>())
    getOrCreate(hours, hour, () => []).push(Number(row.wait_minutes))
  }
  return waits
}

/** How many days of an airport can be judged, and which of them, as airport and day, the rule finds. */
async function judge(folder: string): Promise<{ judged: number; found: string[] }> {
  const data_dir = await mkdtemp(join(tmpdir(), 'holdshort-measure-'))
  try {
    await using warehouse = await openWarehouse(data_dir)
    const waits = waitsIn(folder)
    for (const [iata, hours] of waits)
      await warehouse.land(
        rollups,
        [...hours].map(([hour, values]) =>
          rollup(hour, mean(values), { iata, source: iata.toLowerCase(), max: Math.max(...values) }),
        ),
      )
    const all = [...waits.values()].flatMap((hours) => [...hours.keys()]).toSorted((a, b) => a - b)
    const end = all.at(-1)! + DAY_MS
    let judged = 0
    const found: string[] = []
    for (let day = Math.floor(all[0]! / DAY_MS) * DAY_MS; day <= end; day += DAY_MS) {
      for (const hours of waits.values()) {
        const count = (from: number, to: number) => [...hours.keys()].filter((hour) => hour > from && hour <= to).length
        const isEnough = count(day - DAY_MS, day) >= MIN_STILL_HOURS
        if (isEnough && count(day - (USUAL_DAYS + 1) * DAY_MS, day - DAY_MS) >= MIN_HOURS_BEFORE) judged++
      }
      for (const { iata } of await stillWaits(warehouse, day))
        found.push(`${iata} ${new Date(day - DAY_MS).toISOString().slice(0, 10)}`)
    }
    return { judged, found }
  } finally {
    await rm(data_dir, { recursive: true, force: true })
  }
}

const table: (string | number)[][] = []
for (const folder of positionals) {
  const { judged, found } = await judge(folder)
  table.push([basename(folder), judged, found.length, found.slice(0, 5).join(', ')])
}
console.log(textTable(['history', 'days of airports', 'found', 'the first of them'], table))
