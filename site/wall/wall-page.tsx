import { findAirport } from '../../answers/questions/find-airport.ts'
import { knowsOpening } from '../../answers/questions/forecast-summary.ts'
import type { Predictions } from '../../answers/questions/get-predictions.ts'
import { isOpeningUnknown } from '../../answers/statements/closure.ts'
import { clockOf } from '../../answers/statements/local-time.ts'
import { NO_FIGURES_YET } from '../../answers/statements/no-figures.ts'
import { oldFiguresText } from '../../answers/statements/text.ts'
import { localNow, waitFigure } from '../../answers/statements/words.ts'
import { STALE_AFTER_MS } from '../../api/status/overall.ts'
import type { Airport, Directory } from '../../config/airports/directory.ts'
import { offsetsBetween } from '../../config/time-zones/local-time.ts'
import { DAY_MS, MINUTE_MS } from '../../config/vocabulary.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { type AirportRequest, predictionsOf } from '../airport/answers.ts'
import { cardOf } from '../airport/card.ts'
import { Card, ScaleLegend } from '../airport/wait-card.tsx'
import { Document, pageHeaders, renderDocument } from '../pages/document.tsx'
import { Sign } from '../pages/elements.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import type { AddPages } from '../pages/page-scope.tsx'
import { SimulatedBanner } from '../pages/shell.tsx'

/** Seconds between two looks for something newer. */
const REFRESH_SECONDS = 60
const HOURS = 6
/** A screen that could not load the page for longer shows old figures anyway, and says so. */
const CLOCK_DAYS = 366

interface WallInput extends PageInput {
  airport: Airport
  directory: Directory
}

/** A page for a wall: the wait, the next hours and the delays of an airport in huge figures. It refreshes itself, also without script. */
function WallDocument({ input }: { input: WallInput }) {
  const { airport, snapshot, now } = input
  const { iata, name, timezone } = airport
  const { clock, day } = localNow(now, timezone)
  const request = snapshot ? { ...input, snapshot } : null
  return (
    <Document
      title={`${iata} on a wall · Holdshort`}
      description={`The security wait at ${name} in huge figures, for a screen on a wall.`}
      kind="wall"
      scripts={['wall']}
      head={
        <noscript>
          <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
        </noscript>
      }
    >
      {snapshot?.simulated === true && <SimulatedBanner />}
      <main id="wall" data-every={REFRESH_SECONDS}>
        <header class="wall-head">
          <Sign code={iata} />
          <h1>
            <bdi>{name}</bdi>
          </h1>
          <p class="wall-clock">
            <time data-offsets={comingOffsets(timezone, now)}>{clock}</time>
            <small>{day}</small>
          </p>
        </header>
        <Stale snapshot={snapshot} now={now} />
        {request && <Now request={request} />}
        {request && <Next request={request} />}
        {request && <Foot request={request} />}
      </main>
      <p class="wall-stale" id="wall-offline" role="status" hidden>
        No connection to Holdshort: these figures are not current.
      </p>
    </Document>
  )
}

/**
 * The offsets of the coming year for the clock in the browser, whose own rules may be older: pairs of epoch ms and minutes, as JSON. The
 * first one holds now.
 */
const comingOffsets = (timezone: string, now: number) =>
  JSON.stringify(
    offsetsBetween(timezone, now, now + CLOCK_DAYS * DAY_MS).map(({ from_ms, offset_ms }, index) => [
      index === 0 ? 0 : from_ms,
      offset_ms / MINUTE_MS,
    ]),
  )

function Stale({ snapshot, now }: { snapshot: Snapshot | null; now: number }) {
  if (!snapshot)
    return (
      <p class="wall-stale" role="status">
        {NO_FIGURES_YET}
      </p>
    )
  const age = now - snapshot.generated_ms
  if (age < STALE_AFTER_MS) return null
  return (
    <p class="wall-stale" role="status">
      {oldFiguresText(age / 1_000)}
    </p>
  )
}

function Now({ request }: { request: AirportRequest }) {
  const { shown, withheld } = cardOf(request)
  if (!shown)
    return (
      <section class="wall-now">
        <p class="wall-label">Security wait</p>
        <p class="wall-figure words">Not available to visitors</p>
        <p class="wall-how">{withheld.reason}.</p>
      </section>
    )
  return (
    <section class="wall-now">
      <p class="wall-label">Security wait now</p>
      <Card card={shown} />
    </section>
  )
}

const BAR = 100

const withoutWait = (hour: Predictions['hours'][number]) => ({ ...hour, wait_minutes: null, low: null, high: null })

function Next({ request }: { request: AirportRequest }) {
  const { shown } = predictionsOf(request)
  const isUnknown = isOpeningUnknown(request.snapshot.queue(request.airport.iata, 'security'))
  // The current hour is on the left already.
  const coming = (shown?.hours ?? []).filter(({ time }) => Date.parse(time) > request.now)
  // An hour of which nobody knows whether security is open then has no wait to show.
  const hours = coming
    .slice(0, HOURS)
    .map((hour, index) => (knowsOpening(hour, index, coming) ? hour : withoutWait(hour)))
  if (hours.length === 0 || isUnknown) return <section class="wall-next" />
  const top = Math.max(20, ...hours.map(({ high }) => high ?? 0))
  const barWidth = (minutes: number) => Math.round((minutes / top) * BAR)
  return (
    <section class="wall-next" aria-labelledby="wall-next-title">
      <h2 class="wall-label" id="wall-next-title">
        Next hours, and 8 of 10 waits
      </h2>
      <ol>
        {hours.map(({ local_time, wait_minutes, low, high, status }) => (
          <li>
            <span>{clockOf(local_time)}</span>
            <svg viewBox={`0 0 ${BAR} 10`} preserveAspectRatio="none" aria-hidden="true">
              <rect class="wall-scale" width={BAR} height="10" />
              {low !== null && high !== null && (
                <rect
                  class="wall-bar"
                  x={barWidth(low)}
                  width={Math.max(1, barWidth(high) - barWidth(low))}
                  height="10"
                />
              )}
              {wait_minutes !== null && <rect class="wall-tick" x={barWidth(wait_minutes)} width="1.4" height="10" />}
            </svg>
            <b>{waitFigure({ average_wait_minutes: wait_minutes, status })}</b>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Foot({ request }: { request: AirportRequest }) {
  const { airport, snapshot } = request
  return (
    <footer class="wall-foot">
      {(cardOf(request).shown?.bars.length ?? 0) > 1 && <ScaleLegend />}
      <p>Holdshort · as of {localNow(snapshot.generated_ms, airport.timezone).clock}</p>
    </footer>
  )
}

/** Adds `/tv/:iata`: an airport on a wall. */
export const addWallPage: AddPages = (pages, { directory }) => {
  pages.get('/tv/:iata', OPEN_ROUTE, (request, reply) => {
    const { iata } = request.params as { iata: string }
    const airport = findAirport(iata.toUpperCase(), { directory })
    if (iata !== airport.iata) return reply.redirect(`/tv/${airport.iata}`, 308)
    return request.server.openAnswers.send(request, reply, {
      key: `/tv/${airport.iata}`,
      type: 'text/html; charset=utf-8',
      headers: pageHeaders(),
      make: (input) => renderDocument(<WallDocument input={{ ...input, airport, directory }} />),
    })
  })
}
