import { once } from 'node:events'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'

/** Holds the warehouse of a folder until its input ends, then lands a row. Prints a line once it holds it. */
const warehouse = await openWarehouse(process.argv[2] ?? '')
await warehouse.write(async () => {
  process.stdout.write('holds\n')
  await once(process.stdin.resume(), 'end')
})
await warehouse.land(readings, [reading({ checkpoint: 'of the holder' })])
await warehouse.close()
