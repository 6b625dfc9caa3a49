import type { AviationWeather } from '../questions/get-aviation-weather.ts'
import { alertLines, leadingAlert } from '../statements/alert-news.ts'
import { clockText, spanTextAt } from '../statements/local-clock.ts'
import { ageText, sentenceOf } from '../statements/text.ts'
import { unservedText } from '../statements/unserved.ts'
import { hazardsOf, isOldReport, periodText, skyText, worstPeriod, worstText } from '../statements/weather-text.ts'

/** The weather of an airport, and what it means for flights, as a text. */

/** The effect of the weather on flights, now and at its worst in the forecast. */
function adviceLines({ airport, timestamp, metar, taf, faa }: AviationWeather): string[] {
  const hazards = metar ? hazardsOf(metar) : []
  const isPart = hazards.length > 0 && metar?.flight_category === null
  const now = [
    nowText(airport, metar, hazards),
    ...hazards.slice(1).map(sentenceOf),
    isPart && 'The rest is only known in part.',
    faa && `The FAA: ${faa}`,
  ]
  const lines = [now.filter(Boolean).join(' ')]
  const worst = worstPeriod(taf?.periods ?? [])
  const ahead = worst && worstText(worst)
  if (!worst || ahead === null || (hazardsOf(worst)[0] === hazards[0] && worst.change === null)) return lines
  const chance = worst.probability === null ? '' : ` (${worst.probability} % likely)`
  const period =
    worst.from <= timestamp
      ? `until ${clockText(worst.to, airport, timestamp)}`
      : spanTextAt(worst.from, worst.to, airport, timestamp)
  return [...lines, `At worst ahead, ${period}${chance}: ${ahead}.`]
}

function nowText(airport: string, metar: AviationWeather['metar'], [worst]: readonly string[]): string {
  if (metar === null) return `The weather at ${airport} now is not known, which does not mean that it is fine.`
  if (isOldReport(metar)) {
    const then = worst === undefined ? '' : `, with ${worst}`
    return `The weather at ${airport} now is not known: its newest report is ${ageText(metar.age_seconds)} old${then}.`
  }
  if (worst !== undefined) return `${airport} now: ${worst}.`
  if (metar.flight_category === null)
    return `The weather at ${airport} now is only known in part, which does not mean that it is fine.`
  return metar.wind_kt === null
    ? `${airport} now: cloud and visibility delay nobody; the wind is not reported.`
    : `${airport} now: nothing in the weather report delays flights.`
}

export function aviationWeatherText(
  { airport, timestamp, metar, taf }: AviationWeather,
  whole: AviationWeather,
): string {
  const alerts = alertLines(whole.weather_alerts, airport, timestamp)
  const advice = adviceLines(whole)
  const leads = leadingAlert(whole.weather_alerts, airport, Date.parse(timestamp)) !== null
  const noFlights = whole.no_flights ?? unservedText(airport)
  const lines = [
    ...(noFlights === null ? [] : [sentenceOf(noFlights)]),
    ...(leads ? [...alerts, ...advice] : [...advice, ...alerts]),
  ]
  if (metar) {
    const age = ageText(metar.age_seconds)
    lines.push(`Report of ${age} ago: ${skyText(metar)}`)
  } else lines.push('No report of the last six hours.')
  if (taf) {
    lines.push(`Forecast issued ${clockText(taf.issued_at, airport, timestamp)}:`)
    lines.push(...taf.periods.map((period) => periodText(period, airport, timestamp)))
    lines.push(`Nothing is known of the weather after ${clockText(taf.valid_to, airport, timestamp)}.`)
  } else lines.push('No valid forecast is known now; smaller airports have none at all.')
  lines.push('Not for flight planning.')
  return lines.join('\n')
}
