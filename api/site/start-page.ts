import { createHash } from 'node:crypto'
import type { Directory } from '../../config/airports/directory.ts'
import { TIERS } from '../../config/tiers.ts'
import type { Snapshot } from '../../warehouse/snapshot/types.ts'
import { type CurrentWait, currentWaits } from './current-waits.ts'
import { STYLE } from './style.ts'

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** Nothing but the page's own style: no script, no image, no font, no frame, no third party. */
export const CONTENT_SECURITY_POLICY = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

interface PageContents {
  snapshot: Snapshot | null
  directory: Directory
  site_url: string
  mcp_url: string
}

/** The start page: what this is, current waits, how to get a key, the tiers. Plain HTML, readable without styles. */
export function startPage({ snapshot, directory, site_url, mcp_url }: PageContents): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Holdshort: airport waits and delays</title>
<style>${STYLE}</style>
</head>
<body>
${snapshot?.simulated ? banner : ''}<main>
<h1>Holdshort</h1>
<p>Security waits, FAA delays, hourly predictions and history for ${directory.all.length.toLocaleString('en')} airports, over <a href="/openapi.json">REST</a> and <a href="/llms.txt">MCP</a>. Every figure says where it comes from and how old it is. What is not known is left empty, with the reason.</p>
${snapshot ? waitsSection(snapshot, directory) : '<h2>Current security waits</h2>\n<p>No snapshot has been published yet. The first one follows the first collection.</p>'}
<h2>Get a key</h2>
<p>One call, no sign-up. The key is shown once.</p>
<pre tabindex="0"><code>curl -X POST ${escaped(site_url)}/api/agent/register
curl -H "Authorization: Bearer $KEY" ${escaped(site_url)}/api/v1/airports/JFK/delays</code></pre>
<p>MCP clients connect to <code>${escaped(mcp_url)}/mcp</code> with the same key. The whole API is described in <a href="/openapi.json">openapi.json</a>, and in short for agents in <a href="/llms.txt">llms.txt</a>.</p>
${tiersSection}
</main>
</body>
</html>
`
}

const banner = `<p class="banner" role="status"><strong>Simulated world.</strong> Every figure here is invented by a simulator. Do not travel by it.</p>
`

function waitsSection(snapshot: Snapshot, directory: Directory): string {
  const waits = currentWaits(snapshot, directory)
  const heading = `<h2>Current security waits</h2>
<p>As of <time datetime="${snapshot.generated_at}">${utc(snapshot.generated_at)}</time>.</p>`
  if (waits.length === 0) return `${heading}\n<p>No source has given a reading in the last six hours.</p>`
  return `${heading}
<div class="scroll" role="region" aria-label="Current security waits" tabindex="0"><table>
<thead><tr><th scope="col">Airport</th><th scope="col" class="number">Wait</th><th scope="col">Freshness</th><th scope="col">Basis</th><th scope="col">Source</th></tr></thead>
<tbody>
${waits.map(waitRow).join('\n')}
</tbody>
</table></div>`
}

function waitRow({ iata, name, minutes, freshness, age_seconds, basis, source }: CurrentWait): string {
  const age = age_seconds === null ? '' : `, ${Math.round(age_seconds / 60)} min ago`
  return `<tr><th scope="row">${iata} <span>${escaped(name)}</span></th><td class="number">${minutes} min</td><td class="${freshness ?? 'none'}">${freshness ?? 'not observed'}${age}</td><td>${basis ?? ''}</td><td>${escaped(source ?? '')}</td></tr>`
}

const utc = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

const tiersSection = `<h2 id="tiers">Tiers</h2>
<div class="scroll" role="region" aria-label="Tiers" tabindex="0"><table>
<thead><tr><th scope="col">Tier</th><th scope="col" class="number">USD a month</th><th scope="col" class="number">Requests a minute</th><th scope="col" class="number">Calls a month</th><th scope="col" class="number">Prediction hours</th><th scope="col" class="number">History days</th><th scope="col">Bulk</th></tr></thead>
<tbody>
${Object.values(TIERS)
  .map(
    (tier) =>
      `<tr><th scope="row">${tier.name}</th>${[
        tier.price_usd_per_month,
        tier.requests_per_minute,
        tier.calls_per_month,
        tier.prediction_hours,
        tier.history_days,
      ]
        .map((number) => `<td class="number">${number.toLocaleString('en')}</td>`)
        .join('')}<td>${tier.bulk_airports > 0 ? `up to ${tier.bulk_airports} airports` : 'no'}</td></tr>`,
  )
  .join('\n')}
</tbody>
</table></div>
<p>Keys of the paid tiers are issued by the operator of this installation.</p>`
