import { TIERS } from '../../../../config/tiers.ts'
import type { Skill } from './define.ts'

export const readWaitsOverRest: Skill = {
  name: 'read-waits-over-rest',
  description:
    'Get a Holdshort key and read airport security waits, predictions, delays and history over REST. Use it when a program or an agent without MCP needs them.',
  body: ({ site_url, base_url }) => `# Read waits over REST

1. Get a free key once and store it as a secret: it is shown only once. Do not register again for each run.

       curl -X POST ${site_url}/api/agent/register -H 'Content-Type: application/json' -d '{"agent_name":"<your agent>"}'

2. Send it with every call as \`Authorization: Bearer <key>\` or as \`X-API-Key: <key>\`, not both.
3. See what the key allows: \`GET ${site_url}/api/agent/me\` returns tier, limits and the calls left this month.
4. Find the airport: \`GET ${base_url}/airports?q=<name, city or code>\`. \`GET ${base_url}/coverage\` returns what is known about each airport.
5. Delays, with any key: \`GET ${base_url}/airports/{iata}/delays\`.
6. Waits, predictions and history, with a key of ${TIERS.pro.name} or ${TIERS.enterprise.name}: \`GET ${base_url}/airports/{iata}/wait-times\`, \`…/predictions\` and \`…/historical\`. With \`as_of=<instant>\` the last two answer as of that time, and a forecast includes what was observed since. A free key can use the MCP tool get_security_wait_estimate instead.
7. Repeat a request with \`If-None-Match: <ETag>\`: 304 means that nothing has changed, and is not billed.

## When a call is refused

- 401 INVALID_API_KEY: the key is missing, malformed or revoked. Waiting does not help.
- 403 PREMIUM_REQUIRED: the tier is too low. Never retry.
- 404 AIRPORT_NOT_FOUND: no airport has this code. Search for it; \`successor\` names the airport in place of a closed one.
- 429 rate_limited: wait the seconds of \`Retry-After\`. Do not register again or change addresses.
- 503 NOT_READY, GATE_UNAVAILABLE, ARCHIVE_UNAVAILABLE (with \`as_of\`): wait the seconds of \`Retry-After\`.

All parameters and answers: ${site_url}/openapi.json
`,
}
