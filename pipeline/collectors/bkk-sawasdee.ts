import { ParseError } from '../../config/errors.ts'
import type { Collector } from '../parsing/collector.ts'

/** Bangkok's waits are shown in an app only: neither address nor answer has been seen, so nothing is asked or read. */
export const bkkSawasdee: Collector<'readings'> = {
  id: 'bkk-sawasdee',
  lands: 'readings',
  transport: 'http',
  request: () => [],
  parse: () => {
    throw new ParseError('$', 'no answer of this app has been seen, so none can be read')
  },
}
