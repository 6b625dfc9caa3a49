import { z } from 'zod'
import { Anything, Name, Text } from '../parsing/json.ts'
import { readMinutes } from '../parsing/posted-waits.ts'
import { jsonRequest } from '../parsing/requests.ts'
import { waitCollector } from '../parsing/wait-collector.ts'

const Control = z.object({
  terminal: Name,
  security_control: Text,
  workload: Text,
  workload_label: Text,
  low_minutes: Anything,
  high_minutes: Anything,
})

/** Berlin: a range of minutes per security control, no observation time. It refuses addresses of data centres. */
export const berApls = waitCollector({
  id: 'ber-apls',
  request: ({ source }) => [jsonRequest(source.url, null)],
  read: (payload) =>
    payload.readJsonRows(['data', 'apls-data'], Control, (control, report) => {
      const label = control.workload_label
      const isWorkload = (code: string, word: RegExp) => control.workload.toUpperCase() === code || word.test(label)
      // "Runway" is a lane by reservation: its wait is not that of somebody who just comes.
      if (isWorkload('R', /runway/i)) return null
      const number = control.security_control
      const low = readMinutes(control.low_minutes, 'minutes', report.at('low_minutes'))
      const high = readMinutes(control.high_minutes, 'minutes', report.at('high_minutes'))
      const statusByWait = low === null && high === null ? 'unknown' : 'open'
      return {
        ...payload.unknownReading,
        terminal: control.terminal,
        checkpoint: number === '' || number === '0' ? 'Security' : `Security ${number}`,
        lane: isWorkload('P', /priority/i) ? 'priority' : 'standard',
        wait_minutes_low: low,
        wait_minutes_high: high,
        wait_text: label || null,
        status: isWorkload('C', /closed/i) ? 'closed' : statusByWait,
      }
    }),
})
