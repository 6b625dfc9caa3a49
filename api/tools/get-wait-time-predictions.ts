import { getPredictions, type Predictions } from '../queries/get-predictions.ts'
import { defineTool, READ_ONLY } from './define.ts'

export const getWaitTimePredictionsTool = defineTool<Predictions>({
  name: 'get_wait_time_predictions',
  title: 'Security-wait forecast by the hour (24 hours or 7 days)',
  description:
    'Security waits predicted for each hour of one local day of an airport, with an 80 % interval and a confidence. Use it to choose when to arrive. Needs Pro (the next 24 hours: today or tomorrow) or Enterprise (7 days, with terminals); on a free key it answers PREMIUM_REQUIRED, and asking again does not help.',
  annotations: READ_ONLY,
  query: getPredictions,
  text({ airport, date, hours, model, unavailable_reason }) {
    if (hours.length === 0) return `${airport}, ${date}: no forecast. ${unavailable_reason ?? ''}`.trim()
    const lines = hours.map(
      ({ local_time, wait_minutes, low, high }) =>
        `${local_time.slice(11, 16)} ${wait_minutes} min (${low} to ${high})`,
    )
    return [`${airport}, ${date}, local time; ${model?.basis ?? ''} by ${model?.version ?? ''}:`, ...lines].join('\n')
  },
})
