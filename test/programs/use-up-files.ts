import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataPaths } from '../../config/settings.ts'
import { loadSoundSnapshot } from '../../warehouse/serving/snapshot/load.ts'
import { watchSnapshots } from '../../warehouse/serving/snapshot/watch.ts'
import { openVerifier } from '../../warehouse/storage/damage.ts'
import { listFolders } from '../../warehouse/storage/layout.ts'
import { readings } from '../../warehouse/tables/readings.ts'

/**
 * Uses up the open files that this process may have, and prints what it then says about the snapshots and the warehouse of a data
 * folder, and what it says when there are open files again.
 */
const { snapshots, warehouse } = dataPaths(process.argv[2] ?? '')
const codeOf = (error: NodeJS.ErrnoException) => error.code ?? error.message
const folders = await listFolders(warehouse, readings)
const verifier = await openVerifier(warehouse)
const rejected: string[] = []
const watch = await watchSnapshots(snapshots, {}, 20)
const observe = async () => ({
  fault: watch.fault()?.code ?? null,
  loaded: await loadSoundSnapshot(snapshots, (id) => rejected.push(id)).then((found) => found?.id ?? null, codeOf),
  damaged: await verifier.damagedFiles(readings, folders).then((found) => found.length, codeOf),
})
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
process.stdout.write(JSON.stringify({ without, again, rejected }))
