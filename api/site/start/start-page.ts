import type { Directory } from '../../../config/airports/directory.ts'
import { TIERS } from '../../../config/tiers.ts'
import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'
import { durationText } from '../../data/status/duration-text.ts'
import { STALE_AFTER_MS } from '../../data/status/overall.ts'
import { htmlDocument } from '../pages/document.ts'
import { escaped } from '../pages/html.ts'
import { sourcesSection } from './sources-section.ts'
import { tiersSection } from './tiers-section.ts'
import { waitsSection } from './waits-section.ts'

/** The holding position marking of a taxiway, which the service is named after. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1a1d21"/><path d="M2 4.5h12M2 7.5h12" stroke="#ffc34d" stroke-width="1.5"/><path d="M2 10h12M2 12.5h12" stroke="#ffc34d" stroke-width="1.5" stroke-dasharray="2.4 2.4"/></svg>`

interface PageContents {
  snapshot: Snapshot | null
  directory: Directory
  site_url: string
  mcp_url: string
  /** Epoch milliseconds. */
  now: number
}

/** The start page: what this is, how to get a key, current waits, sources, tiers. Plain HTML, readable without styles. */
export function startPage({ snapshot, directory, site_url, mcp_url, now }: PageContents): string {
  const airports = directory.all.length.toLocaleString('en')
  return htmlDocument({
    title: 'Holdshort: airport waits and delays',
    description: 'Airport security waits, FAA delays and hourly forecasts over REST and MCP.',
    skip: { to: 'waits', text: 'Skip to the current waits' },
    simulated: snapshot?.simulated === true,
    body: `<header>
<h1>Holdshort</h1>
<p class="lead">Airport security waits, FAA delays, hourly forecasts and history for ${airports} airports, over REST and MCP.</p>
<p>Every figure says where it comes from and how old it is. What is not known is left empty, with the reason.</p>
<nav aria-label="Documentation"><ul><li><a href="#key">Get a key</a></li><li><a href="/status">Status</a></li><li><a href="/openapi.json">OpenAPI 3.1</a></li><li><a href="/llms.txt">Index for agents</a></li><li><a href="#tiers">Tiers</a></li><li><a href="/sign-in">Sign in</a></li><li><a href="/signup">Sign up</a></li></ul></nav>
</header>
<main>
<section id="key" aria-labelledby="key-title">
<h2 id="key-title">Get a key</h2>
<p>One call, no sign-up. Paste this:</p>
<pre tabindex="0" aria-label="Commands to get a key and use it"><code>${escaped(firstCommands(site_url))}</code></pre>
<p>The key is shown once: keep it. It gives ${TIERS.free.requests_per_minute} requests a minute and ${TIERS.free.calls_per_month.toLocaleString('en')} calls a month. MCP clients connect to <code>${escaped(mcp_url)}/mcp</code> with the same key as a bearer token.</p>
</section>
<section id="waits" aria-labelledby="waits-title">
<h2 id="waits-title">Current security waits</h2>
${snapshot ? ageWarning(snapshot, now) + waitsSection(snapshot, directory) : notReady}
</section>
<section id="sources" aria-labelledby="sources-title">
<h2 id="sources-title">Sources</h2>
${snapshot ? sourcesSection(snapshot) : notReady}
</section>
<section id="tiers" aria-labelledby="tiers-title">
<h2 id="tiers-title">Tiers</h2>
${tiersSection}
</section>
</main>`,
  })
}

/** Registers and asks once, in any POSIX shell with curl; nothing to be filled in. */
export const firstCommands = (
  site_url: string,
) => `KEY=$(curl -s -X POST ${site_url}/api/agent/register | grep -o 'hs_agent_[0-9A-Za-z]*')
echo $KEY
curl -H "Authorization: Bearer $KEY" ${site_url}/api/v1/airports/JFK/delays`

const notReady = '<p>No snapshot has been published yet. The first one follows the first collection.</p>'

function ageWarning({ generated_ms }: Snapshot, now: number): string {
  if (now - generated_ms < STALE_AFTER_MS) return ''
  return `<p class="warning" role="status">These figures are ${durationText(now - generated_ms)} old: nothing newer has been published since.</p>\n`
}
