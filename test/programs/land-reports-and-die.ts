import { implementCall } from '../../jobs/calls/define-call.ts'
import { reportsCall } from '../../jobs/calls/reports.ts'
import { serveOnSocket } from '../../jobs/transports/socket.ts'
import { createReportLander } from '../../pipeline/land-reports.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'

/** Lands the first batch of reports and is killed before it can answer. */
const [folder = '', socket = ''] = process.argv.slice(2)
const warehouse = await openWarehouse(folder)
const land = createReportLander(warehouse, Date.now)
await serveOnSocket(socket, [
  implementCall(reportsCall, async (batch) => {
    const receipt = await land(batch)
    process.kill(process.pid, 'SIGKILL')
    // The signal may arrive late; no answer may be sent until then.
    await new Promise(() => undefined)
    return receipt
  }),
])
process.stdout.write('open\n')
