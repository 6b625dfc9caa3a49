import { openLocalCounter } from '../../jobs/live-local.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'

/** Lands the first reports that it is handed and is killed before it can say so. */
const [folder = '', socket = ''] = process.argv.slice(2)
const warehouse = await openWarehouse(folder)
const land = createReportLander(warehouse, Date.now)
await openLocalCounter(socket, () => Promise.reject(new Error('no live request here')), {
  reports: async (batch) => {
    const receipt = await land(batch)
    process.kill(process.pid, 'SIGKILL')
    // The signal comes when it comes; nothing may be said meanwhile.
    await new Promise(() => undefined)
    return receipt
  },
})
process.stdout.write('open\n')
