import type { QueryContext } from '../../answers/questions/define.ts'
import type { Predictions } from '../../answers/questions/get-predictions.ts'
import { type ShownQueueWait, withProvenanceEverywhere } from '../../answers/questions/shown-queue-wait.ts'
import type { WaitSpread } from '../../answers/statements/spread.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import type { WaitStatement } from '../../answers/statements/wait.ts'
import { HoldshortError } from '../../config/errors.ts'
import { Heading } from '../airport/airport-page.tsx'
import { type AirportRequest, type BandAnswer, bandOf, isShutOut } from '../airport/answers.ts'
import { statementOf } from '../airport/card.ts'
import { bandConclusion } from '../airport/conclusions.ts'
import { drawBand, fromFirstObserved } from '../airport/drawn.ts'
import { Band } from '../airport/sections.tsx'
import { Card } from '../airport/wait-card.tsx'
import { beginsNow } from '../charts/band-chart.ts'
import { Section } from '../pages/elements.tsx'
import { requestOf, type Wait, waitOf } from './request.ts'
import { pictureOf } from './tree.ts'

/** The wait now: the card of the airport, and its next 24 hours. */
export async function waitView({ airport }: { airport: string }, context: QueryContext) {
  const request = requestOf(airport, context)
  return picture(request, waitOf(request), hoursOf(request))
}

/** The wait now and the requested hours; beside those of a later day nothing of today is drawn. */
export async function hoursView({ airport, hours: ahead, unavailable_reason }: Predictions, context: QueryContext) {
  const request = requestOf(airport, context)
  const hours = hoursOf(request)
  const { band } = hours
  if (band === null) return picture(request, waitOf(request), hours)
  const today = beginsNow({ ahead, now: context.now }) ? {} : { past: [], current_minutes: null, observed_sources: [] }
  return picture(request, waitOf(request), {
    ...hours,
    band: { ...band, ...today, ahead, unavailable_reason },
  })
}

interface LiveAnswer {
  airport: string
  kind: string
  wait: ShownQueueWait | null
  spread: WaitSpread | null
}

/** The wait that its source has just given, where that is newer than the published one; null for any other queue than security. */
export async function liveView({ airport, kind, wait, spread }: LiveAnswer, context: QueryContext) {
  if (kind !== 'security') return null
  const request = requestOf(airport, context)
  const published = waitOf(request)
  const hours = hoursOf(request)
  if (wait === null || isShutOut(request) || !hasNews(wait, published)) return picture(request, published, hours)
  const security = withProvenanceEverywhere(wait)
  const band = hours.band && { ...hours.band, current_minutes: security.average_wait_minutes }
  return picture(request, { ...published, security, spread }, { ...hours, band })
}

/** Whether a wait says something, and nothing newer is published. */
const hasNews = ({ average_wait_minutes, status, observed_at }: ShownQueueWait, { security }: Wait) =>
  (average_wait_minutes !== null || status === 'closed') && (observed_at ?? '') >= (security.observed_at ?? '')

interface Hours {
  band: BandAnswer | null
  /** Why there are none; null if there are. */
  reason: string | null
}

/** The hours behind and ahead where the tier sees them; otherwise the reason in words. */
function hoursOf(request: AirportRequest): Hours {
  try {
    return { band: bandOf(request).shown, reason: null }
  } catch (error) {
    if (!(error instanceof HoldshortError) || error.code !== 'PREMIUM_REQUIRED') throw error
    return { band: null, reason: error.message }
  }
}

/** If no wait is known or observed, as at an airport without flights, typical hours are useless. */
const hoursBeside = ({ kind }: WaitStatement, band: BandAnswer): BandAnswer | null =>
  kind === 'unknown' && band.past.length === 0 && band.ahead.length > 0 ? null : band

async function picture(request: AirportRequest, wait: Wait, { band, reason }: Hours) {
  const card = statementOf(request, wait)
  const shown = band && hoursBeside(card, fromFirstObserved(band))
  const chart = shown && (await drawBand(shown))
  return pictureOf(
    <>
      <Heading {...request} />
      <Card card={card} />
      {shown && (
        <Section id="next" title={bandConclusion(shown)}>
          <Band band={shown} chart={chart} request={request} address={null} />
        </Section>
      )}
      {reason !== null && (
        <Section id="next" title="The next 24 hours">
          <p class="withheld">{sentenceOf(reason)}</p>
        </Section>
      )}
    </>,
  )
}
