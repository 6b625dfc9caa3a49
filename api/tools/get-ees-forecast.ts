import { type EesForecast, getEesForecast } from '../../answers/questions/get-ees-forecast.ts'
import { borderForecastText } from '../../answers/texts/border-forecast-text.ts'
import { defineTool } from './define.ts'

export const getEesForecastTool = defineTool<EesForecast>({
  name: 'get_ees_forecast',
  title: 'Border waits of the next 24 hours',
  description:
    'Border control waits of one Schengen airport over the next 24 hours, entry and exit apart: use it for a crossing later today or tomorrow. `predicted`: made from the airport’s own observed hours. Most airports publish none: then `typical`, one wide range, taken from US airports. Flights, staffing and suspensions are not known. For waits now use get_ees_wait_times.',
  topics: ['ees', 'border'],
  example: { iata: 'ZRH' },
  query: getEesForecast,
  // The text has the note.
  limits: { hours: 6 },
  text: (_shown, whole) => borderForecastText(whole),
})
