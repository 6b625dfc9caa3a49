import type { Tier } from '../../../config/domain.ts'
import type { Addresses } from '../../../config/settings.ts'
import { escaped } from '../../site/pages/html.ts'

/** How to make a first call, with a place for the key, and what else there is. */
export function firstSteps({ base_url, mcp_url }: Addresses, tier: Tier): string {
  const operation = tier === 'free' ? 'delays' : 'wait-times'
  const command = `curl -H "Authorization: Bearer YOUR_KEY" ${base_url}/airports/JFK/${operation}`
  return `<p>Call the REST API with your key in place of <code>YOUR_KEY</code>:</p>
<pre tabindex="0" aria-label="Command of a first call"><code>${escaped(command)}</code></pre>
<ul>
<li>MCP clients connect to <code>${escaped(mcp_url)}/mcp</code> with the same key as a bearer token, or by your consent.</li>
<li>Operations, parameters and answers: <a href="/openapi.json">OpenAPI 3.1</a>.</li>
<li>Be told when a wait crosses a threshold: <a href="/alerts">Alerts</a>.</li>
</ul>`
}
