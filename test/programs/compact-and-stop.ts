import type { HoldshortError } from '../../config/errors.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { replacePartition } from '../../warehouse/storage/write.ts'
import { readings } from '../../warehouse/tables/readings.ts'

/** Merges a partition like a compaction, but stops itself (SIGSTOP) between reading the files and committing the new one. */
const [folder = ''] = process.argv.slice(2)
const warehouse = await openWarehouse(folder)
try {
  await warehouse.maintain((context) =>
    replacePartition(context, readings, { kind: 'security', date: '2026-11-20' }, (current) => {
      process.stdout.write('stopping\n')
      setImmediate(() => process.kill(process.pid, 'SIGSTOP'))
      return current
    }),
  )
  process.stdout.write('committed\n')
} catch (error) {
  process.stdout.write(`${(error as HoldshortError).code}\n`)
}
await warehouse.close()
