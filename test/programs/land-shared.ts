import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { HoldshortError } from '../../config/errors.ts'
import { readSettings } from '../../config/settings.ts'
import { catalogUrl } from '../../warehouse/coordination/catalog-database.ts'
import { ducklakePlace } from '../../warehouse/storage/ducklake-place.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { landRows } from '../../warehouse/storage/write.ts'
import { readings } from '../../warehouse/tables/readings.ts'
import { reading } from '../warehouse/test-rows.ts'

/**
 * Lands one batch of readings after another into the tables of several machines, each until it is acknowledged, and reports each
 * attempt. Batches of the name `same` are landed by every process. After the message `pause` the next batch waits for `go on` between
 * its INSERT and its COMMIT.
 */
const [name = 'one', first = '0'] = process.argv.slice(2)
const settings = readSettings(process.env)
const warehouse = await openWarehouse(settings.data_dir, { place: ducklakePlace(settings, catalogUrl(settings), name) })
export const BATCH = 20
let isPausing = false
process.on('message', (message) => {
  if (message === 'pause') isPausing = true
})
const report = (text: object) => process.send?.(text)

for (let number = Number(first); ; number += 1) {
  const batch = number % 4 === 0 ? `same-${number}` : `${name}-${number}`
  const rows = Array.from({ length: BATCH }, (_, index) => reading({ checkpoint: batch, terminal: String(index) }))
  for (;;) {
    try {
      await warehouse.write(async (context) => {
        await landRows(context, readings, rows)
        if (!isPausing) return
        isPausing = false
        report({ paused: batch })
        await once(process, 'message')
      })
      report({ acknowledged: batch })
      break
    } catch (error) {
      const { message } = error as Error
      report({ failed: batch, code: error instanceof HoldshortError ? error.code : message, message })
      await sleep(200)
    }
  }
  await sleep(20)
}
