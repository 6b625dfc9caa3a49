import { getSecurityWaitEstimate, type SecurityEstimate } from '../../answers/questions/get-security-wait-estimate.ts'
import { estimateText } from '../../answers/texts/estimate-text.ts'
import { waitView } from '../views/views.ts'
import { defineTool } from './define.ts'

export const getSecurityWaitEstimateTool = defineTool<SecurityEstimate>({
  name: 'get_security_wait_estimate',
  title: 'Current security wait of an airport',
  description:
    'The current security wait of an airport, as one figure for the whole airport: use it for “how long is the queue now?”, anywhere. `basis` says what it is: measured or reported now, or, where no source has a fresh reading, predicted by the airport’s model or typical worldwide.',
  topics: ['wait', 'queue', 'queueing', 'security', 'tsa', 'precheck'],
  example: { iata: 'JFK' },
  query: getSecurityWaitEstimate,
  view: waitView,
  text: estimateText,
})
