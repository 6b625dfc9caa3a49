import type { Directory } from '../../../config/airports/directory.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { escaped, head, moment, table } from '../pages/html.ts'
import { type CurrentWait, currentWaits } from './current-waits.ts'
import { nextDay, scaleOf, sparkline } from './sparkline.ts'

const HEADS = [
  head('Airport'),
  head('Wait now', 'number'),
  head('How we know'),
  head('Freshness'),
  head('Next 24 hours'),
  head('Source'),
]

/** The table of current waits, each with basis, age, forecast and source. */
export function waitsSection(snapshot: Snapshot, directory: Directory): string {
  const waits = currentWaits(snapshot, directory)
  if (waits.length === 0)
    return '<p>No source has given a reading in the last six hours, and no airport has a forecast of its own.</p>'
  const days = waits.map(({ airport }) => nextDay(snapshot, airport.iata))
  const top = scaleOf(days)
  const rows = waits.map((wait, place) => waitRow(wait, sparkline(days[place]!, top, wait.airport.timezone)))
  const observed = waits.filter(({ wait }) => wait.freshness !== null).length
  return `<p>As of ${moment(snapshot.generated_at)}: ${observed} of ${waits.length} airports observed in the last six hours. Line: expected wait; band: 8 of 10 waits; top of each chart: ${top} min. Other airports answer with a typical wait where one may be claimed, and say so.</p>
${table('Current security waits', HEADS, rows)}`
}

function waitRow({ airport, minutes, wait }: CurrentWait, chart: string): string {
  const { basis, freshness, age_seconds, source } = wait
  const age = age_seconds === null ? '' : `<span>${durationText(age_seconds * 1_000)} old</span>`
  return `<tr><th scope="row">${airport.iata} <span>${escaped(airport.name)}</span></th><td class="number">${minutes} min</td><td>${basis ?? ''}</td><td class="${freshness ?? 'none'}">${freshness ?? 'not observed now'}${age}</td><td class="chart">${chart}</td><td>${escaped(source ?? '')}</td></tr>`
}
