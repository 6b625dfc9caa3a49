import type { Addresses } from '../../../config/settings.ts'

/** Beginnings for each language and client. `test/api/site/docs/quick-starts.test.ts` runs those that a machine can run. */

export interface QuickStart {
  id: string
  title: string
  /** Markdown before the listing. */
  text: string
  listings: { label: string; text: string }[]
  /** Markdown after it. */
  after?: string
}

const FORMAT_CHECKED =
  'The file is checked against the published format of the client; it was not run in the client itself.'

/** Seconds between two calls of the sensors for Home Assistant: within the monthly calls of Pro and of a free key. */
export const SENSOR_SECONDS = { wait: 900, delays: 3_600 } as const

/** The commands that get a key, for any POSIX shell with curl. */
export const getKey = ({ site_url }: Pick<Addresses, 'site_url'>) =>
  `export HOLDSHORT_KEY=$(curl -s -X POST '${site_url}/api/agent/register' -H 'Content-Type: application/json' -d '{}' | grep -o 'hs_agent_[0-9A-Za-z]*')
echo "$HOLDSHORT_KEY"`

/** All quick starts with the addresses of an installation. */
export function quickStarts({ site_url, base_url, mcp_url }: Addresses): QuickStart[] {
  const server = `${mcp_url}/mcp`
  return [
    {
      id: 'curl',
      title: 'curl',
      text: 'Delays at JFK as the FAA reports them, with any key:',
      listings: [
        {
          label: 'Delays with curl',
          text: `curl -s -H "Authorization: Bearer $HOLDSHORT_KEY" '${base_url}/airports/JFK/delays'`,
        },
        {
          label: 'When to leave, with curl',
          text: `departure=$(date -u -d '+6 hours' '+%Y-%m-%dT%H:%MZ' 2>/dev/null || date -u -v+6H '+%Y-%m-%dT%H:%MZ')
curl -s -H "Authorization: Bearer $HOLDSHORT_KEY" '${base_url}/airports/JFK/leave-by?travel_minutes=45&departure='"$departure"`,
        },
      ],
    },
    {
      id: 'typescript',
      title: 'TypeScript',
      text:
        'Without a library, in Node.js 20 or later, Deno, Bun or a browser. Types come from the OpenAPI document: `npx openapi-typescript ' +
        `${site_url}/openapi.json -o holdshort.d.ts\`.`,
      listings: [
        {
          label: 'Delays in TypeScript',
          text: `const base = '${base_url}'
const headers = { authorization: \`Bearer \${process.env.HOLDSHORT_KEY}\` }

const response = await fetch(\`\${base}/airports/JFK/delays\`, { headers })
const answer = await response.json()
// Every error has a stable code; after 429 wait for Retry-After, after 403 do not try again.
if (!response.ok) throw new Error(\`\${answer.code}: \${answer.detail}\`)

const { status, summary, source, age_seconds } = answer
console.log(\`JFK: \${status}. \${summary} (\${source}, \${age_seconds} s old)\`)`,
        },
      ],
    },
    {
      id: 'python',
      title: 'Python',
      text: 'With the standard library alone:',
      listings: [
        {
          label: 'Delays in Python',
          text: `import json, os, urllib.error, urllib.request

request = urllib.request.Request(
    "${base_url}/airports/JFK/delays",
    headers={"Authorization": f"Bearer {os.environ['HOLDSHORT_KEY']}"},
)
try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{problem['code']}: {problem['detail']}")

print(f"JFK: {answer['status']}. {answer['summary']} ({answer['source']}, {answer['age_seconds']} s old)")`,
        },
      ],
      after:
        'For a data frame ask for CSV: `pandas.read_csv` takes an address that ends in `.csv`, such as `…/airports/JFK/historical.csv`, with `storage_options={"Authorization": "Bearer …"}`.',
    },
    {
      id: 'r',
      title: 'R',
      text: 'With `httr2`. History and predictions come as CSV too (Pro and Enterprise):',
      listings: [
        {
          label: 'Delays and history in R',
          text: `library(httr2)

holdshort <- request("${base_url}") |>
  req_auth_bearer_token(Sys.getenv("HOLDSHORT_KEY")) |>
  req_error(body = \\(response) resp_body_json(response, check_type = FALSE)$detail)

delays <- holdshort |>
  req_url_path_append("airports", "JFK", "delays") |>
  req_perform() |>
  resp_body_json()
delays$status

history <- holdshort |>
  req_url_path_append("airports", "JFK", "historical.csv") |>
  req_url_query(days = 7) |>
  req_perform() |>
  resp_body_string() |>
  (\\(text) read.csv(text = text))()`,
        },
      ],
      after: 'Run with R 4.2 and `httr2` 0.2.2.',
    },
    {
      id: 'claude',
      title: 'Claude',
      text: 'In Claude on the web, desktop or phone: *Settings*, *Connectors*, *Add custom connector*, with the address below, then *Connect*: Claude registers itself, and you approve it once. The server must be reachable from the internet by https. In Claude Code:',
      listings: [
        { label: 'The address for Claude', text: server },
        {
          label: 'Claude Code',
          text: `claude mcp add --transport http holdshort ${server}
# then /mcp in a session signs in; or with a key:
claude mcp add --transport http holdshort ${server} --header "Authorization: Bearer $HOLDSHORT_KEY"`,
        },
      ],
      after:
        'Ask: “When must I leave for my 17:30 flight from JFK? I check a bag and need 45 minutes to the airport.” Hosts with MCP Apps show the curve of probability beside the answer. The address and the commands are checked against the published form; they were not run in Claude itself.',
    },
    {
      id: 'chatgpt',
      title: 'ChatGPT',
      text: 'Turn on developer mode (*Settings*, *Apps & Connectors*, *Advanced settings*), then *Create*: a name, this address, and OAuth as authentication. ChatGPT needs an address on the internet by https.',
      listings: [{ label: 'The address for ChatGPT', text: server }],
      after: 'The steps follow the published guide; they were not tried in ChatGPT itself.',
    },
    {
      id: 'cursor',
      title: 'Cursor',
      text: 'In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project. Without `headers` Cursor signs in by OAuth.',
      listings: [
        {
          label: 'mcp.json of Cursor',
          text: JSON.stringify(
            {
              mcpServers: {
                holdshort: { url: server, headers: { Authorization: `Bearer ${'$'}{env:HOLDSHORT_KEY}` } },
              },
            },
            null,
            2,
          ),
        },
      ],
      after: FORMAT_CHECKED,
    },
    {
      id: 'vs-code',
      title: 'VS Code',
      text: 'In `.vscode/mcp.json`; VS Code asks for the key once and keeps it. Without `headers` and `inputs` it signs in by OAuth.',
      listings: [
        {
          label: 'mcp.json of VS Code',
          text: JSON.stringify(
            {
              inputs: [{ type: 'promptString', id: 'holdshort-key', description: 'Holdshort key', password: true }],
              servers: {
                holdshort: {
                  type: 'http',
                  url: server,
                  headers: { Authorization: `Bearer ${'$'}{input:holdshort-key}` },
                },
              },
            },
            null,
            2,
          ),
        },
      ],
      after: FORMAT_CHECKED,
    },
    {
      id: 'home-assistant',
      title: 'Home Assistant',
      text: `Two sensors in \`configuration.yaml\`; \`secrets.yaml\` has the line \`holdshort_key: "Bearer hs_…"\`. The wait needs a key of Pro: every ${SENSOR_SECONDS.wait / 60} minutes are 2,976 calls in a month of 31 days. Delays need any key: one call an hour is 744. Where no wait is known, or the service answers with an error, the sensors are unavailable rather than 0.`,
      listings: [
        {
          label: 'configuration.yaml of Home Assistant',
          text: `rest:
  - resource: ${base_url}/airports/JFK/wait-times
    scan_interval: ${SENSOR_SECONDS.wait}
    headers:
      Authorization: !secret holdshort_key
    sensor:
      - name: JFK security wait
        unique_id: holdshort_jfk_security_wait
        value_template: "{{ value_json.security.average_wait_minutes }}"
        availability: "{{ value_json is defined and value_json.security is defined and value_json.security.average_wait_minutes is not none }}"
        unit_of_measurement: min
        device_class: duration
        state_class: measurement
        json_attributes_path: "$.security"
        json_attributes: [status, basis, source, observed_at, age_seconds, freshness, unavailable_reason]
  - resource: ${base_url}/airports/JFK/delays
    scan_interval: ${SENSOR_SECONDS.delays}
    headers:
      Authorization: !secret holdshort_key
    sensor:
      - name: JFK delays
        unique_id: holdshort_jfk_delays
        value_template: "{{ value_json.status }}"
        availability: "{{ value_json is defined and value_json.supported is defined }}"
        json_attributes: [summary, source, observed_at, age_seconds]`,
        },
      ],
      after:
        'The file is checked against the published options, and its templates are run by Jinja on answers, closures and errors; it was not run in Home Assistant itself.',
    },
  ]
}
