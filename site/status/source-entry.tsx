import { SOURCE_KINDS } from '../../answers/statements/words.ts'
import { durationText } from '../../api/status/duration-text.ts'
import type { SourceStatus } from '../../api/status/source-status.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { dayText, Moment } from '../pages/elements.tsx'

/** A source with more airports than this shows their number instead of their codes. */
const MAX_LISTED_AIRPORTS = 6

/** A source of which nothing is to be explained, in two short lines. */
export function BriefEntry({ source }: { source: SourceStatus }) {
  const newest = agoText(source.newest_observed_age_seconds)
  const known = knownShares(source)
  return (
    <li>
      <div>
        <h3>{source.name}</h3>
        <p class="quiet">{aboutText(source)}</p>
      </div>
      {(newest !== null || known !== null) && (
        <div>
          <b>{newest ?? '–'}</b>
          {known !== null && <p class="quiet">{percent(known.uptime)} answered</p>}
        </div>
      )}
    </li>
  )
}

/** `Security waits · JFK LGA · every 3 min` */
function aboutText({ kind, airports, cadence_seconds }: SourceStatus): string {
  const places = airports.length > MAX_LISTED_AIRPORTS ? `${airports.length} airports` : airports.join(' ')
  return [SOURCE_KINDS[kind], places, `every ${durationText(cadence_seconds * 1_000)}`].filter(Boolean).join(' · ')
}

const agoText = (seconds: number | null) => (seconds === null ? null : `${durationText(seconds * 1_000)} ago`)

/** The shares of answered runs and of fresh readings over the longest time that is known; null before the first run. */
function knownShares({ windows }: SourceStatus): { uptime: number; freshness: number | null } | null {
  const { uptime = null, freshness = null } = windows.findLast((window) => window.uptime !== null) ?? {}
  return uptime === null ? null : { uptime, freshness }
}

/** A source with its state, what is known of it, and its last thirty days. */
export function SourceEntry({ source, today }: { source: SourceStatus; today: string }) {
  const { name, attribution, reason, state } = source
  return (
    <li class={`source ${state}`}>
      <div>
        <h3>{name}</h3>
        <p class="quiet">{aboutText(source)}</p>
        <p class="quiet">{attribution}</p>
      </div>
      <div>
        {reason !== null && <p class="reason">{reason}</p>}
        <Facts source={source} />
      </div>
      {state !== 'off' && <Days source={source} today={today} />}
    </li>
  )
}

/** The known facts about a source, each in a few words. */
function Facts({ source }: { source: SourceStatus }) {
  const { since, rows, usual_rows, state } = source
  const { newest_observed_age_seconds: newest, last_success_age_seconds: answered } = source
  return (
    <ul class="facts">
      {since !== null && (
        <li>
          since <Moment instant={since} />
        </li>
      )}
      {newest !== null && <li>newest reading {agoText(newest)}</li>}
      {answered !== null && <li>answered {agoText(answered)}</li>}
      {answered === null && state !== 'off' && <li>no answer so far</li>}
      {rows !== null && (
        <li>
          {rows} rows{usual_rows !== null && `, usually ${usual_rows}`}
        </li>
      )}
    </ul>
  )
}

const SQUARE = 8
const STEP = 10

/** A day with at least this share of answered runs counts as good, and as usable. */
const GOOD_SHARE = 0.99
export const USABLE_SHARE = 0.9

function squareClass(share: number | null): string {
  if (share === null) return 'track'
  if (share >= GOOD_SHARE) return 'good'
  return share >= USABLE_SHARE ? 'low' : 'bad'
}

/** Thirty squares of days with the figures of all of them in words; screen readers skip the squares. */
function Days({ source, today }: { source: SourceStatus; today: string }) {
  const { days } = source
  const known = knownShares(source)
  if (known === null) return <p class="quiet days">Not observed yet.</p>
  const begun = days.findIndex((share) => share !== null)
  const span = begun > 0 ? `since ${dayText(dayBefore(today, days.length - 1 - begun))}` : 'in 30 days'
  return (
    <div class="days">
      {days.length > 0 && (
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${days.length * STEP} ${SQUARE}`}
          width={days.length * STEP}
          height={SQUARE}
        >
          {days.map((share, place) => (
            <rect class={squareClass(share)} x={place * STEP} width={SQUARE} height={SQUARE} rx="1.5" />
          ))}
        </svg>
      )}
      <p class="quiet">
        {percent(known.uptime)} answered
        {known.freshness !== null && `, ${percent(known.freshness)} fresh`} {span}
      </p>
    </div>
  )
}

/** The instant so many days before another one. */
export const dayBefore = (instant: string, days: number) => isoUtc(Date.parse(instant) - days * DAY_MS)

/** A share in per cent with one decimal, rounded down, so that only a full share shows as 100 %. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1_000 + 1e-6)
  return `${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} %`
}
