import { setTimeout as sleep } from 'node:timers/promises'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { batchRows } from '../faults/native-work.ts'

/**
 * Uses a warehouse beside other processes, and prints a JSON line for each use with the milliseconds that it took:
 * `write` lands a batch every 200 ms, `read` counts rows every 100 ms, and `hold` has an analyst's session for some seconds.
 */
const [folder = '', use = '', secondsText = '1'] = process.argv.slice(2)
const seconds = Number(secondsText)
const end = performance.now() + seconds * 1_000
const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

if (use === 'hold') {
  const session = await openAnalystSession(folder)
  print({ held: true })
  await sleep(seconds * 1_000)
  await session.close()
} else if (use === 'long') {
  while (performance.now() < end) {
    const began = performance.now()
    const session = await openAnalystSession(folder)
    const waited_ms = performance.now() - began
    const { chunks } = await session.stream('SELECT count(*) FROM readings')
    for await (const chunk of chunks) print({ waited_ms, rows: Number(chunk[0]?.[0]) })
    await sleep(1_000)
    await session.close()
    await sleep(500)
  }
} else {
  const warehouse = await openWarehouse(folder)
  for (let batch = 0; performance.now() < end; batch += 1) {
    const began = performance.now()
    if (use === 'write') {
      await warehouse.land(readings, batchRows(batch))
      print({ waited_ms: performance.now() - began, batch })
    } else {
      const [found] = await warehouse.query<{ n: number; keys: number }>(
        'SELECT count(*) AS n, count(DISTINCT checkpoint) AS keys FROM readings',
      )
      print({
        waited_ms: performance.now() - began,
        rows: found?.n,
        isWhole: found?.n === found?.keys && (found?.n ?? 0) % 20 === 0,
      })
    }
    await sleep(Math.max(0, (use === 'write' ? 200 : 100) - (performance.now() - began)))
  }
  await warehouse.close()
}
