import { type Accuracy, accuracyOver } from '../../answers/accuracy/get-accuracy.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { isJudged, recordSentence } from '../accuracy/figures-text.ts'
import { Section } from '../pages/elements.tsx'

/** Reasons to believe the figures: the record of the forecasts, the state of the sources, and what is never shown. */
export function Trust({ snapshot }: { snapshot: Snapshot }) {
  const record = accuracyOver(snapshot, 30)
  const health = snapshot.sourceHealth().filter(({ state }) => state !== 'off' && state !== 'not_asked')
  const healthy = health.filter(({ state }) => state === 'healthy').length
  return (
    <Section id="trust" title="Why to trust it">
      <div class="cards">
        {isJudged(record) && <RecordCard record={record} />}
        <SourcesCard healthy={healthy} requested={health.length} />
        <div class="card">
          <p class="card-figure">no guesses</p>
          <p>
            Where nothing is known, nothing is shown, with the reason. A reading older than six hours is never shown as
            current, and an estimate is never called a measured wait.
          </p>
        </div>
      </div>
    </Section>
  )
}

/** How many of the sources answer as they should. */
function SourcesCard({ healthy, requested }: { healthy: number; requested: number }) {
  const status = <a href="/status">status page</a>
  if (requested === 0)
    return (
      <div class="card">
        <p class="card-figure">no source asked yet</p>
        <p>
          The first collection is under way. Sources are airports, authorities and the FAA; each will stand on the{' '}
          {status} with its failures.
        </p>
      </div>
    )
  return (
    <div class="card">
      <p class="card-figure">{healthy === 0 ? `none of ${requested}` : `${healthy} of ${requested}`}</p>
      <p>
        {requested === 1 ? 'source is' : 'sources are'} healthy. They are airports, authorities and the FAA; each is
        named with its age at every figure, and its failures are on the {status}.
      </p>
    </div>
  )
}

/** How good the forecasts were: the sentence of the record. */
function RecordCard({ record }: { record: Accuracy }) {
  return (
    <div class="card">
      <p class="card-figure">scored in public</p>
      <p>
        {recordSentence(record)} <a href="/accuracy">The whole record</a>, misses included.
      </p>
    </div>
  )
}
