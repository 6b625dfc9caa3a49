import { handOverReports } from '../../api/data/reports/hand-over.ts'
import { openState } from '../../api/state/open.ts'
import { openLocalReportDesk } from '../../jobs/reports-local.ts'

/** Hands the waiting reports over and is killed before it can note that they have landed. */
const [folder = '', socket = ''] = process.argv.slice(2)
const state = await openState({ data_dir: folder })
const desk = openLocalReportDesk(socket)
await handOverReports(
  state,
  {
    ...desk,
    handOver: async (batch) => {
      const receipt = await desk.handOver(batch)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)
      return receipt
    },
  },
  Date.now(),
)
