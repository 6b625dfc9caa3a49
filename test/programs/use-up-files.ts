import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataPaths } from '../../config/settings.ts'
import { loadSoundSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { watchSnapshots } from '../../warehouse/publishing/snapshot/watch.ts'
import { readInFull } from '../../warehouse/storage/housekeeping.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'

/**
 * Uses up the open files that this process may have, and prints what it then says about the snapshots and the warehouse of a data
 * folder, and what it says when there are open files again.
 */
const data_dir = process.argv[2] ?? ''
const { snapshots } = dataPaths(data_dir)
const codeOf = (error: NodeJS.ErrnoException) => error.code ?? error.message
const warehouse = await openWarehouse(data_dir)
await readInFull(data_dir, 10_000)
const rejected: string[] = []
const watch = await watchSnapshots(snapshots, {}, 20)
const observe = async () => ({
  fault: watch.fault()?.code ?? null,
  loaded: await loadSoundSnapshot(snapshots, (id) => rejected.push(id)).then((found) => found?.id ?? null, codeOf),
  warehouse: await readInFull(data_dir, 10_000).then(() => 'readable', codeOf),
})
// Until the engine has let go of the file, so that it must open it again.
await sleep(200)
const files: number[] = []
try {
  for (;;) files.push(openSync('/dev/null', 'r'))
} catch {
  await sleep(200)
}
const without = await observe()
for (const file of files) closeSync(file)
await sleep(100)
const again = await observe()
watch.stop()
await warehouse.close()
process.stdout.write(JSON.stringify({ without, again, rejected }))
