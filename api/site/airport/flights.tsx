import type { Delays } from '../../data/queries/get-delays.ts'
import type { AviationWeather } from '../../data/tools/get-aviation-weather.ts'
import { sentenceOf } from '../../data/tools/text.ts'
import { hazardsOf, skyText, worstPeriod } from '../../data/tools/weather-text.ts'
import type { AirportRequest } from './answers.ts'
import { programNews } from './delay-news.ts'
import { From } from './figure.tsx'
import { clockOn } from './words.ts'

/** What stops or delays flights, the gravest first: programs of the FAA, thunderstorms, low cloud and poor visibility, now and ahead. */
export function FlightsText({
  delays,
  weather,
  request: { airport, now },
}: {
  delays: Delays
  weather: AviationWeather
  request: AirportRequest
}) {
  const { timezone } = airport
  const { metar, taf } = weather
  const programs = programNews(delays, airport, now)
  return (
    <ul class="news">
      {programs.map(({ title, line }) => (
        <li>
          {title}: {line}. <From source={delays.source} age={delays.age_seconds} />
        </li>
      ))}
      {programs.length === 0 && delays.status === 'normal' && (
        <li>
          The FAA lists no delay now. <From source={delays.source} age={delays.age_seconds} />
        </li>
      )}
      {metar && (
        <li>
          {hazardsOf(metar)
            .map((hazard) => `${sentenceOf(hazard)} `)
            .join('')}
          <small class="from">{skyText(metar)}</small> <From source={metar.source} age={metar.age_seconds} />
        </li>
      )}
      {taf && (
        <li>
          <Ahead taf={taf} timezone={timezone} now={now} />
        </li>
      )}
    </ul>
  )
}

/** The worst weather of the forecast; where all of it is good, until when it reaches. */
function Ahead({ taf, timezone, now }: { taf: AviationWeather['taf']; timezone: string; now: number }) {
  const worst = worstPeriod(taf?.periods ?? [])
  if (!taf || !worst) return <>No forecast of the weather is known now; smaller airports have none at all.</>
  const [hazard] = hazardsOf(worst)
  const end = taf.periods.map(({ to }) => to).reduce((last, to) => (to > last ? to : last))
  const chance = worst.probability === null ? '' : ` with ${worst.probability} %`
  const ahead =
    hazard === undefined
      ? `No weather that delays flights is forecast until ${clockOn(end, timezone, now)}.`
      : `At worst ahead, from ${clockOn(worst.from, timezone, now)} to ${clockOn(worst.to, timezone, now)}${chance}: ${hazard}.`
  return (
    <>
      {ahead} <From source={taf.source} />
    </>
  )
}
