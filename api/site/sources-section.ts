import { allSources } from '../../config/sources.ts'
import type { SourceHealth } from '../../warehouse/snapshot/health-types.ts'
import type { Snapshot } from '../../warehouse/snapshot/types.ts'
import { escaped, head, inWords, table } from './html.ts'

/** What stopped a source, for people. A code that is not here is said by its name. */
const REASONS: Record<string, string> = {
  FETCH_FAILED: 'the site could not be reached',
  FETCH_REFUSED: 'the site refused our requests, so we stopped asking',
  FETCH_TOO_LARGE: 'the site sent far more than expected',
  ROBOTS_DISALLOWED: 'the site asks robots not to read it',
  CIRCUIT_OPEN: 'it failed several times in a row and is left alone for a while',
  BROWSER_UNAVAILABLE: 'it needs a browser, and none could be started here',
  PARSE_FAILED: 'the site has changed its form',
}

const ORDER: SourceHealth['state'][] = ['open_circuit', 'failing', 'not_asked', 'degraded', 'healthy', 'off']

const MEANINGS: Record<SourceHealth['state'], string> = {
  healthy: 'reached',
  degraded: 'reached, but not as usual',
  failing: 'unreachable',
  open_circuit: 'left alone for a while',
  not_asked: 'not asked yet',
  off: 'switched off',
}

/** How each source fares, those in trouble first and in plain words; the rest folded away. */
export function sourcesSection(snapshot: Snapshot): string {
  const health = snapshot
    .sourceHealth()
    .toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || (a.source < b.source ? -1 : 1))
  if (health.length === 0) return '<p>No source has been asked yet.</p>'
  const asked = health.filter(({ state }) => state !== 'off')
  const troubled = asked.filter(({ state }) => state !== 'healthy')
  const summary = `<p><strong>${asked.length - troubled.length} of ${asked.length} sources</strong> were reached at the last try.</p>`
  const trouble = troubled.map((source) => `<li>${inTrouble(source, snapshot.generated_ms)}</li>`)
  const rows = health.map((source) => sourceRow(source, snapshot.generated_ms))
  return `${summary}
${trouble.length > 0 ? `<ul class="trouble">\n${trouble.join('\n')}\n</ul>` : ''}
<details><summary>All ${health.length} sources</summary>
${table('Sources', [head('Source'), head('State'), head('Last reached'), head('Published by')], rows)}
</details>`
}

const nameOf = (id: string) => escaped(allSources().find((source) => source.id === id)?.name ?? id)

function inTrouble({ source, state, last_error_code, last_success_at }: SourceHealth, now: number): string {
  const reason = last_error_code === null ? '' : `: ${REASONS[last_error_code] ?? escaped(last_error_code)}`
  const since =
    last_success_at === null
      ? 'Nothing is known from it.'
      : `Last reached ${ago(last_success_at, now)}; its figures are shown with their age until they are six hours old.`
  return `<strong>${nameOf(source)}</strong> ${MEANINGS[state]}${reason}. ${since}`
}

function sourceRow({ source, state, last_success_at }: SourceHealth, now: number): string {
  const attribution = allSources().find(({ id }) => id === source)?.attribution ?? ''
  return `<tr><th scope="row">${nameOf(source)} <span>${escaped(source)}</span></th><td>${MEANINGS[state]}</td><td>${last_success_at === null ? 'never' : ago(last_success_at, now)}</td><td>${escaped(attribution)}</td></tr>`
}

const ago = (instant: string, now: number) => `${inWords(now - Date.parse(instant))} ago`
