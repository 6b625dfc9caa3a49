import type { QueryContext } from '../../answers/questions/define.ts'
import type { Predictions } from '../../answers/questions/get-predictions.ts'
import { type ShownQueueWait, withProvenanceEverywhere } from '../../answers/questions/shown-queue-wait.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import type { WaitFacts, WaitSpread } from '../../answers/statements/wait.ts'
import { HoldshortError } from '../../config/errors.ts'
import { Heading } from '../airport/airport-page.tsx'
import { type AirportRequest, type BandAnswer, bandOf } from '../airport/answers.ts'
import { statementOf } from '../airport/card.ts'
import { bandConclusion } from '../airport/conclusions.ts'
import { drawBand, fromFirstObserved } from '../airport/drawn.ts'
import { Band } from '../airport/sections.tsx'
import { Card } from '../airport/wait-card.tsx'
import { beginsNow } from '../charts/band-chart.ts'
import { Section } from '../pages/elements.tsx'
import { requestOf, waitOf } from './request.ts'
import { pictureOf } from './tree.ts'

type Wait = Pick<WaitFacts, 'security' | 'spread' | 'next'>

/** The wait now: the card of the airport, and its next 24 hours. */
export async function waitPicture({ airport }: { airport: string }, context: QueryContext) {
  const request = requestOf(airport, context)
  return picture(request, waitOf(request, context), hoursOf(request))
}

/** The wait now and all requested hours. */
export async function hoursPicture({ airport, hours: ahead }: Predictions, context: QueryContext) {
  const request = requestOf(airport, context)
  const hours = hoursOf(request)
  const { band } = hours
  if (band === null) return picture(request, waitOf(request, context), hours)
  const before = beginsNow({ ahead, now: context.now }) ? {} : { past: [], current_minutes: null }
  return picture(request, waitOf(request, context), { ...hours, band: { ...band, ...before, ahead } })
}

interface LiveAnswer {
  airport: string
  kind: string
  wait: ShownQueueWait | null
  spread: WaitSpread | null
}

/** The wait that its source has just given, where that is newer than the published one; null for any other queue than security. */
export async function livePicture({ airport, kind, wait, spread }: LiveAnswer, context: QueryContext) {
  if (kind !== 'security') return null
  const request = requestOf(airport, context)
  const published = waitOf(request, context)
  const hours = hoursOf(request)
  if (wait === null || !hasNews(wait, published)) return picture(request, published, hours)
  const security = withProvenanceEverywhere(wait)
  const band = hours.band && { ...hours.band, current_minutes: security.average_wait_minutes }
  return picture(request, { ...published, security, spread }, { ...hours, band })
}

/** Whether a wait says something, and nothing newer is published. */
const hasNews = ({ average_wait_minutes, status, observed_at }: ShownQueueWait, { security }: Wait) =>
  (average_wait_minutes !== null || status === 'closed') && (observed_at ?? '') >= (security.observed_at ?? '')

interface Hours {
  band: BandAnswer | null
  /** Why there are none; null where there are. */
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

async function picture(request: AirportRequest, wait: Wait, { band, reason }: Hours) {
  const shown = band && fromFirstObserved(band)
  const chart = shown && (await drawBand(shown))
  return pictureOf(
    <>
      <Heading {...request} />
      <Card card={statementOf(request, wait)} />
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
