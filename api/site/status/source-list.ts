import type { SourceState } from '../../../warehouse/serving/health/source-state.ts'
import { durationText } from '../../data/status/duration-text.ts'
import type { SourceStatus } from '../../data/status/source-status.ts'
import { escaped, moment } from '../pages/html.ts'
import { windowBars } from './window-bars.ts'

/** States as the page groups them, trouble first. */
export const GROUPS: { state: SourceState; title: string }[] = [
  { state: 'open_circuit', title: 'Left alone for a while' },
  { state: 'failing', title: 'Failing' },
  { state: 'degraded', title: 'Degraded' },
  { state: 'not_asked', title: 'Not asked yet' },
  { state: 'healthy', title: 'Healthy' },
  { state: 'off', title: 'Switched off' },
]

const KINDS: Record<SourceStatus['kind'], string> = {
  security: 'Security',
  immigration: 'Immigration',
  checkin: 'Check-in',
  customs: 'Customs',
  delays: 'Delays',
  metar: 'Weather',
  taf: 'Forecast weather',
  places: 'Map',
}

/** More airports than this are counted, not listed. */
const MOST_LISTED = 6

/** One source: what it is, how it stands, and how it did over the windows. */
export function sourceEntry(source: SourceStatus): string {
  const { name, reason, error_code, state, attribution } = source
  const code = error_code === null ? '' : ` <code>${error_code}</code>`
  return `<li class="source ${state}">
<div><h3>${escaped(name)}</h3><p class="quiet">${about(source)}</p><p class="quiet">${escaped(attribution)}</p></div>
<div>${reason === null ? '' : `<p class="reason">${escaped(reason)}${code}</p>`}<ul class="facts">${figures(source)
    .map((figure) => `<li>${figure}</li>`)
    .join('')}</ul></div>
${state === 'off' ? '' : windowBars(source.windows)}
</li>`
}

function about({ kind, airports, cadence_seconds, source }: SourceStatus): string {
  const places = airports.length > MOST_LISTED ? `${airports.length} airports` : airports.join(' ')
  const every = `every ${durationText(cadence_seconds * 1_000)}`
  return [KINDS[kind], places, every, `<code>${escaped(source)}</code>`].filter(Boolean).join(' · ')
}

/** What is known of it, each as a few words; nothing is said of what is not known. */
function figures(source: SourceStatus): string[] {
  const { since, rows, usual_rows, state } = source
  const { newest_observed_age_seconds: newest, last_success_age_seconds: answered } = source
  const ago = (seconds: number) => `${durationText(seconds * 1_000)} ago`
  return [
    since === null ? '' : `since ${moment(since)}`,
    newest === null ? '' : `newest reading ${ago(newest)}`,
    answered === null ? (state === 'off' ? '' : 'nothing is known from it') : `answered ${ago(answered)}`,
    rows === null ? '' : `${rows} rows${usual_rows === null ? '' : `, usually ${usual_rows}`}`,
  ].filter(Boolean)
}
