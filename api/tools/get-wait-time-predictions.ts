import { getPredictions, type Predictions } from '../../answers/questions/get-predictions.ts'
import { PredictionsBrief, predictionsBrief, predictionsText } from '../../answers/texts/predictions-text.ts'
import { waitView } from '../views/views.ts'
import { defineTool } from './define.ts'

export const getWaitTimePredictionsTool = defineTool<Predictions, PredictionsBrief>({
  name: 'get_wait_time_predictions',
  title: 'Security-wait forecast by the hour (24 hours or 7 days)',
  description:
    'Security waits predicted by the hour with an 80 % interval: when to go, the next hours, and each day’s quietest and busiest open hour; `detail: "full"`: every hour, with terminals on Enterprise. A closed hour has no minutes. Needs Pro (24 hours) or Enterprise (7 days).',
  topics: ['forecast', 'prediction'],
  example: { iata: 'JFK', days: 1 },
  query: getPredictions,
  brief: { output: PredictionsBrief, shorten: predictionsBrief },
  view: waitView,
  limits: { hours: 8, days: 8 },
  pages: { list: 'hours', rows: 24 },
  text: predictionsText,
})
