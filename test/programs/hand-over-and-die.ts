import { handOverReports } from '../../api/reports/hand-over.ts'
import { openState } from '../../api/state/open.ts'
import { openSocketClient } from '../../jobs/transports/socket.ts'

/** Hands the waiting reports over and is killed before it can record that they have landed. */
const [folder = '', socket = ''] = process.argv.slice(2)
const state = await openState({ data_dir: folder })
const client = openSocketClient(socket)
await handOverReports(
  state,
  {
    ...client,
    call: async (...call) => {
      const receipt = await client.call(...call)
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)
      return receipt
    },
  },
  Date.now(),
)
