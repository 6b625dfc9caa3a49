import type { Delays } from '../../data/queries/get-delays.ts'
import type { AviationWeather } from '../../data/tools/get-aviation-weather.ts'
import { CATEGORY_MEANINGS, skyText, worstPeriod } from '../../data/tools/weather-text.ts'
import type { AirportRequest } from './answers.ts'
import { programLines } from './delay-news.ts'
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
  const programs = programLines(delays, airport, now)
  const category = metar?.flight_category ?? null
  return (
    <ul class="news">
      {programs.map((line) => (
        <li>
          {line}. <From source={delays.source} age={delays.age_seconds} />
        </li>
      ))}
      {programs.length === 0 && delays.status === 'normal' && (
        <li>
          The FAA lists no delay now. <From source={delays.source} age={delays.age_seconds} />
        </li>
      )}
      {metar?.weather?.includes('TS') && <li>Thunderstorm at or near the airport: ramps and departures may stop.</li>}
      {metar && (
        <li>
          {category !== null && `Now ${CATEGORY_MEANINGS[category]}. `}
          <small class="from">{skyText(metar)}.</small> <From source={metar.source} age={metar.age_seconds} />
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
  if (!taf || worst?.flight_category == null)
    return <>No forecast of the weather is known now; smaller airports have none at all.</>
  const category = worst.flight_category
  const end = taf.periods.map(({ to }) => to).reduce((last, to) => (to > last ? to : last))
  const chance = worst.probability === null ? '' : ` with ${worst.probability} %`
  const ahead =
    category === 'VFR'
      ? `No low cloud or poor visibility is forecast until ${clockOn(end, timezone, now)}.`
      : `At worst ahead, from ${clockOn(worst.from, timezone, now)} to ${clockOn(worst.to, timezone, now)}${chance}: ${CATEGORY_MEANINGS[category]}.`
  return (
    <>
      {ahead} <From source={taf.source} />
    </>
  )
}
