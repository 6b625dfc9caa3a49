import { getAirportOverview } from '../../answers/questions/get-airport-overview.ts'
import { BriefOverview, type Overview } from '../../answers/questions/overview-answer.ts'
import { alertNews } from '../../answers/statements/alert-news.ts'
import { delayLines } from '../../answers/statements/delay-text.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { skyText } from '../../answers/statements/weather-text.ts'
import { overviewText, recommendationOf } from '../../answers/texts/overview-text.ts'
import { defineTool } from './define.ts'

function briefOf(answer: Overview): BriefOverview {
  const { delays, weather, weather_alerts, ...unchanged } = answer
  const { airport, timestamp } = answer
  const now = Date.parse(timestamp)
  return {
    ...recommendationOf(answer),
    local_now: localTime(now, airport.timezone),
    delays: { details: delayLines({ airport: airport.iata, ...delays, weather }, timestamp).slice(1), ...delays },
    weather: weather && { summary: skyText(weather), ...weather },
    weather_alerts:
      weather_alerts === null || weather_alerts.unavailable_reason !== null
        ? null
        : weather_alerts.alerts.map((alert) => ({ text: alertNews(alert, airport, now).text, ...alert })),
    ...unchanged,
  }
}

export const getAirportOverviewTool = defineTool<Overview, BriefOverview>({
  name: 'get_airport_overview',
  title: 'An airport at a glance',
  description:
    'An airport: location, time zone, current security wait (with basis and age), passport control of arrivals, terminals, runways, FAA delays, weather and US weather alerts. Use it first for a question about one airport.',
  topics: ['airport'],
  example: { iata: 'JFK' },
  query: getAirportOverview,
  brief: { output: BriefOverview, shorten: briefOf },
  limits: { terminals: 8, 'delays.details': 3, weather_alerts: 3 },
  text: overviewText,
})
