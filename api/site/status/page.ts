import { durationText } from '../../data/status/duration-text.ts'
import { OVERALL_RULE, type OverallState, requestedSourceCount } from '../../data/status/overall.ts'
import type { StatusReport } from '../../data/status/status-report.ts'
import { htmlDocument } from '../pages/document.ts'
import { escaped, moment } from '../pages/html.ts'
import { GROUPS, sourceEntry } from './source-list.ts'

const HEADLINES: Record<OverallState, string> = {
  ok: 'Working as usual',
  degraded: 'Degraded',
  down: 'Down',
  starting: 'Starting',
}

/** How service and sources are doing, for people: the whole first, then what is in trouble, then the rest. */
export function statusPage(report: StatusReport): string {
  const { status, reason, simulated, counts } = report
  const asked = requestedSourceCount(counts)
  return htmlDocument({
    title: `${HEADLINES[status]}: Holdshort status`,
    description: 'How Holdshort and each of its sources are doing.',
    skip: { to: 'sources', text: 'Skip to the sources' },
    simulated: simulated === true,
    body: `<header>
<p class="home"><a href="/">Holdshort</a></p>
<h1>Status</h1>
<div class="overall ${status}" role="status"><p><strong>${HEADLINES[status]}</strong> <span>${escaped(reason ?? `${counts.healthy} of ${asked} sources asked so far are healthy.`)}</span></p></div>
${snapshotLine(report)}
</header>
<main id="sources">
${tally(report)}
${GROUPS.map((group) => section(report, group)).join('\n')}
<section id="how" aria-labelledby="how-title">
<h2 id="how-title">How to read this</h2>
<p>${OVERALL_RULE[0]!.toUpperCase()}${OVERALL_RULE.slice(1)}</p>
<p><b>Up</b>: share of the runs that answered and could be read. <b>Fresh</b>: share of the time in which a reading under an hour old was at hand. Both are of the time since the source was first asked, and rounded down. States of sources are as of the snapshot.</p>
<p>The same for machines: <code>GET /status</code> with <code>Accept: application/json</code>. What is live, modelled or unavailable at each airport, and since when: <code>GET /api/v1/coverage</code>, described in <a href="/openapi.json">OpenAPI 3.1</a>.</p>
</section>
</main>`,
  })
}

function snapshotLine({ snapshot, checked_at }: StatusReport): string {
  const age = snapshot
    ? `: the newest snapshot is <strong>${durationText(snapshot.age_seconds * 1_000)} old</strong>`
    : ''
  return `<p>As of ${moment(checked_at)}${age}.</p>`
}

function tally({ counts }: StatusReport): string {
  const entries = GROUPS.filter(({ state }) => counts[state] > 0).map(
    ({ state, title }) => `<li class="${state}"><a href="#${state}"><b>${counts[state]}</b> ${title}</a></li>`,
  )
  return entries.length === 0
    ? ''
    : `<nav aria-label="Sources by state"><ul class="tally">${entries.join('')}</ul></nav>`
}

function section({ sources }: StatusReport, { state, title }: (typeof GROUPS)[number]): string {
  const members = sources.filter((source) => source.state === state)
  if (members.length === 0) return ''
  const list = `<ul class="sources">\n${members.map(sourceEntry).join('\n')}\n</ul>`
  const shown =
    state === 'off' ? `<details><summary>Show ${members.length}, with the reasons</summary>\n${list}\n</details>` : list
  return `<section id="${state}" aria-labelledby="${state}-title">
<h2 id="${state}-title">${title} <span class="quiet">${members.length}</span></h2>
${shown}
</section>`
}
