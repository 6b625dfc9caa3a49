import { rollUp } from '../../warehouse/storage/rollup.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'

/** Lands batches of 20 rows and rolls up in an endless loop, and prints each acknowledged batch. Tests kill it. */
const folder = process.argv[2] ?? ''
const from = Number(process.argv[3])
const warehouse = await openWarehouse(folder)
for (let batch = from; ; batch += 1) {
  const rows = Array.from({ length: 20 }, (_, i) => reading({ checkpoint: `${batch}-${i}`, wait_minutes: i }))
  await warehouse.land(readings, rows)
  process.stdout.write(`${batch}\n`)
  if (batch % 3 === 0) await rollUp(warehouse)
  if (batch % 4 === 0) await warehouse.checkpoint()
}
