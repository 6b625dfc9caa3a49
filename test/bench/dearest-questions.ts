import { isoUtc } from '../../config/domain.ts'

/** A request to the api; `round` makes it one that was not asked before, so that no cache answers it. */
export interface Question {
  name: string
  /** Whether the pipeline answers, which does not run beside: 503. */
  isForPipeline?: true
  method?: 'GET' | 'POST' | 'DELETE'
  path: (round: number) => string
  headers?: Record<string, string>
  body?: (round: number) => string
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const BROTLI = { 'accept-encoding': 'br' }
const GZIP = { 'accept-encoding': 'gzip' }
const CSV = { accept: 'text/csv' }
const JSON_BODY = { 'content-type': 'application/json' }
export const DEAREST_AIRPORT = 'JFK'

/** As many words of as many letters as a search reads, each with typing errors against many names. */
const words = (round: number) =>
  ['internationel', 'regionel', 'municipel', 'aeropuerta', 'santa', 'lake']
    .map((word, at) => (at === round % 6 ? `${word}${'aeiou'[round % 5]}` : word))
    .join(' ')

const localDay = (now: number, back: number) => isoUtc(now - back * DAY_MS).slice(0, 10)
const departure = (now: number, round: number) => isoUtc(now + 150 * HOUR_MS + round * 60_000)

const manyCodes = (codes: readonly string[], round: number, count: number) =>
  Array.from({ length: count }, (_, at) => codes[(at + round * 7) % codes.length]!)

/** Every option of a departure plan, so that every step is computed. */
const wholePlan = (now: number, round: number) => ({
  departure: departure(now, round),
  destination: 'CDG',
  international: true,
  bags: true,
  travel_minutes: 60 + round,
  travel_p90_minutes: 240 + round,
  confidence: 0.99,
})

const query = (parameters: Record<string, string | number | boolean>) =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()

/** The dearest questions of each operation, by its id in OpenAPI. */
export function dearestOperations(now: number, codes: readonly string[]): Record<string, Question[]> {
  const of = (path: string) => `/api/v1/airports/${DEAREST_AIRPORT}${path}`
  const history = (round: number) => of(`/historical?from=${localDay(now, 89 - round)}`)
  const fixed = (path: string, name = path): Question[] => [
    { name, path: () => path },
    { name: `${name}, br`, path: () => path, headers: BROTLI },
  ]
  return {
    listAirports: [
      { name: 'a page of 100', path: (round) => `/api/v1/airports?limit=100&page=${90 - round}` },
      { name: 'a page of 100, CSV', path: (round) => `/api/v1/airports?limit=100&page=${70 - round}`, headers: CSV },
      { name: 'filtered by live', path: (round) => `/api/v1/airports?live=false&limit=100&page=${round + 1}` },
      { name: 'six wrong words', path: (round) => `/api/v1/airports?q=${encodeURIComponent(words(round))}` },
      {
        name: 'a hundred letters',
        path: (round) => `/api/v1/airports?q=${'abcdefghij'.repeat(10).slice(0, 100 - round)}`,
      },
      {
        name: 'fifty words',
        path: (round) => `/api/v1/airports?q=${'a%20'.repeat(49 - round)}b`,
      },
    ],
    bulkWaitTimes: [
      {
        name: '50 airports',
        method: 'POST',
        path: () => '/api/v1/airports/bulk',
        headers: { ...JSON_BODY, ...BROTLI },
        body: (round) => JSON.stringify({ codes: manyCodes(codes, round, 50) }),
      },
      {
        name: '40,000 codes',
        method: 'POST',
        path: () => '/api/v1/airports/bulk',
        headers: JSON_BODY,
        body: (round) => JSON.stringify({ codes: manyCodes(codes, round, 40_000) }),
      },
      {
        name: '20,000 unknown fields',
        method: 'POST',
        path: () => '/api/v1/airports/bulk',
        headers: JSON_BODY,
        body: () => `{"codes":["JFK"]${Array.from({ length: 20_000 }, (_, at) => `,"f${at}":0`).join('')}}`,
      },
      {
        name: 'lists 60 deep',
        method: 'POST',
        path: () => '/api/v1/airports/bulk',
        headers: JSON_BODY,
        body: () =>
          `{"codes":[${Array.from({ length: 2_000 }, () => `${'['.repeat(60)}${']'.repeat(60)}`).join(',')}]}`,
      },
    ],
    getWaitTimes: [
      {
        name: 'every checkpoint',
        path: (round) => `/api/v1/airports/${codes[round % codes.length]}/wait-times`,
        headers: BROTLI,
      },
    ],
    getPredictions: [
      { name: 'a week, br', path: () => of('/predictions?days=7'), headers: BROTLI },
      { name: 'a week, CSV', path: () => of('/predictions?days=7'), headers: { ...CSV, ...GZIP } },
    ],
    getDelays: [{ name: 'all', path: (round) => `/api/v1/airports/${codes[round % codes.length]}/delays` }],
    getHistorical: [
      { name: '90 days', path: history },
      { name: '90 days, br', path: (round) => of(`/historical?from=${localDay(now, 84 - round)}`), headers: BROTLI },
      { name: '90 days, CSV, gzip', path: (round) => history(round + 20), headers: { ...CSV, ...GZIP } },
    ],
    getLeaveBy: [{ name: 'every option', path: (round) => of(`/leave-by?${query(wholePlan(now, round))}`) }],
    getImmigration: [{ name: 'an airport', path: () => of('/immigration') }],
    getAccuracy: [
      { name: '90 days', path: () => '/api/v1/accuracy?days=90', headers: BROTLI },
      { name: '90 days, CSV', path: () => '/api/v1/accuracy?days=90', headers: CSV },
    ],
    getAirportAccuracy: [
      { name: '90 days', path: (round) => `/api/v1/airports/${codes[round % codes.length]}/accuracy?days=90` },
    ],
    getForecastVintage: [
      {
        name: 'the newest',
        isForPipeline: true,
        path: (round) => of(`/accuracy/vintage?as_of=${encodeURIComponent(isoUtc(now - round * HOUR_MS))}`),
      },
    ],
    getCoverage: [
      { name: 'a page of 100', path: (round) => `/api/v1/coverage?limit=100&page=${round + 1}`, headers: BROTLI },
      { name: 'by state', path: (round) => `/api/v1/coverage?state=unavailable&limit=100&page=${round + 1}` },
      {
        name: 'by fact and state, CSV',
        path: (round) => `/api/v1/coverage?fact=security&state=modelled&limit=100&page=${round + 1}`,
        headers: CSV,
      },
    ],
    registerAgent: [
      {
        name: 'longest fields',
        method: 'POST',
        path: () => '/api/agent/register',
        headers: JSON_BODY,
        body: (round) =>
          JSON.stringify({ agent_name: 'n'.repeat(99) + round, contact_email: `${'a'.repeat(60)}@example.org` }),
      },
      {
        name: 'a name of 250,000 characters',
        method: 'POST',
        path: () => '/api/agent/register',
        headers: JSON_BODY,
        body: () => JSON.stringify({ agent_name: 'a\u0301'.repeat(40_000) }),
      },
      {
        name: 'an address of 250,000 characters',
        method: 'POST',
        path: () => '/api/agent/register',
        headers: JSON_BODY,
        body: () => JSON.stringify({ contact_email: `${'a.'.repeat(60_000)}@${'b.'.repeat(60_000)}` }),
      },
    ],
    getAccount: [{ name: 'all', path: () => '/api/agent/me' }],
    revokeKey: [{ name: 'unknown', method: 'DELETE', path: (round) => `/api/keys/key_${'0'.repeat(150)}${round}` }],
    getHealth: fixed('/health'),
    getReadiness: fixed('/health/ready'),
    getStatus: [
      ...fixed('/status'),
      { name: 'page', path: () => '/status', headers: { accept: 'text/html', ...BROTLI } },
    ],
    getLlmsIndex: fixed('/llms.txt'),
    getLlmsFull: fixed('/llms-full.txt'),
    getApiIndex: fixed('/api/v1'),
    listMcpTools: fixed('/.well-known/mcp/tools.json'),
    listSkills: fixed('/.well-known/agent-skills/index.json'),
  }
}

const iso = (now: number, days: number) => isoUtc(now + days * DAY_MS).slice(0, 10)

/** The dearest inputs of each tool, by its name. */
export function dearestTools(now: number, codes: readonly string[]): Record<string, ((round: number) => object)[]> {
  const full = { detail: 'full' }
  const at = (round: number) => ({ iata: codes[round % codes.length] })
  const here = { iata: DEAREST_AIRPORT }
  const trips = (count: number, days: number, gap: number) =>
    Array.from({ length: count }, (_, n) => ({
      entry: iso(now, -n * gap - 300),
      exit: iso(now, -n * gap - 300 + days),
    }))
  return {
    search_airports: [
      (round) => ({ query: words(round), limit: 20 }),
      (round) => ({ query: 'abcdefghij'.repeat(10).slice(0, 100 - round) }),
      (round) => ({ query: `${'a '.repeat(40 - round)}b` }),
    ],
    get_airport_overview: [at, () => ({ ...here, ...full })],
    compare_airports: [
      (round) => ({ airports: manyCodes(codes, round, 5) }),
      (round) => ({ airports: manyCodes(codes, round, 5), ...full }),
    ],
    get_faa_delays: [at, () => ({}), () => full],
    get_airport_delays_summary: [at],
    get_aviation_weather: [at, () => ({ ...here, ...full })],
    get_security_wait_estimate: [at, () => ({ ...here, ...full })],
    get_best_time_to_fly: [
      (round) => ({ ...here, ...wholePlan(now, round) }),
      (round) => ({ ...here, ...wholePlan(now, round), ...full }),
    ],
    get_wait_time_predictions: [() => ({ ...here, days: 7 }), () => ({ ...here, days: 7, ...full })],
    get_historical_wait_times: [
      (round) => ({ ...here, from: localDay(now, 89 - round) }),
      (round) => ({ ...here, from: localDay(now, 84 - round), ...full }),
    ],
    get_live_wait_time: [() => here],
    get_crowd_reports: [() => here],
    submit_wait_time_report: [(round) => ({ ...here, queue: 'security', wait_minutes: 20 + round, terminal: `1` })],
    get_terminals: [at, () => ({ ...here, ...full })],
    get_lounges: [at, () => ({ ...here, ...full })],
    get_airline_baggage_rankings: [() => ({}), () => full],
    get_airline_baggage_policy: [() => ({ airline: 'DL', ...full }), () => ({ airline: 'x'.repeat(60) })],
    get_ees_wait_times: [() => ({}), () => full, () => ({ iata: 'ZRH', ...full })],
    get_ees_forecast: [() => ({ iata: 'ZRH', ...full })],
    check_schengen_days: [
      (round) => ({ trips: trips(200, 0, 2), on: iso(now, round), day_by_day: true, ...full }),
      (round) => ({
        trips: trips(140, 90, 91),
        on: iso(now, round),
        planned: { entry: iso(now, 30), days: 90 },
        ...full,
      }),
      (round) => ({
        trips: trips(200, 1, 3).map((trip) => ({ ...trip, country: 'HR' })),
        on: iso(now, round),
        planned: { entry: iso(now, 3) },
      }),
    ],
    create_wait_time_alert: [() => ({ ...here, below_minutes: 10 })],
    discover_more_flight_tools: [() => ({ topic: 'lounges' }), () => ({ topic: 'x'.repeat(90) })],
  }
}

const rpc = (method: string, params: object, id: number | string = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })
const MCP_HEADERS = { ...JSON_BODY, accept: 'application/json, text/event-stream' }

export const toolQuestion = (tool: string, input: (round: number) => object, name: string): Question => ({
  name,
  method: 'POST',
  path: () => '/mcp',
  headers: MCP_HEADERS,
  body: (round) => rpc('tools/call', { name: tool, arguments: input(round) }),
})

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** What belongs to no operation or tool: pages, documents, batches, and bodies, headers and addresses at the limits of the door. */
export function dearestOthers(now: number, codes: readonly string[]): Question[] {
  const tools = dearestTools(now, codes)
  const mcp = (name: string, body: (round: number) => string, headers: Record<string, string> = {}): Question => ({
    name,
    method: 'POST',
    path: () => '/mcp',
    headers: { ...MCP_HEADERS, ...headers },
    body,
  })
  const batch = (name: string, input: (round: number) => object) => (round: number) =>
    `[${Array.from({ length: 20 }, (_, at) => rpc('tools/call', { name, arguments: input(round * 20 + at) }, at)).join(',')}]`
  const page = (path: string): Question => ({
    name: `page ${path}`,
    path: () => path,
    headers: { accept: 'text/html', ...BROTLI },
  })
  return [
    page('/'),
    page('/plans'),
    page('/sign-in'),
    page('/signup'),
    { name: 'openapi.json, br', path: () => '/openapi.json', headers: BROTLI },
    { name: 'metrics', path: () => '/metrics' },
    mcp('tools/list', (round) => rpc('tools/list', {}, round)),
    mcp('tools/list, gzip', (round) => rpc('tools/list', {}, 100 + round), GZIP),
    mcp('resources', () => rpc('resources/read', { uri: 'holdshort://tables' })),
    mcp('resource of coverage', () => rpc('resources/read', { uri: 'holdshort://coverage' })),
    mcp(
      'batch of 20 searches',
      batch('search_airports', (round) => ({ query: `${words(round)} ${round}` })),
    ),
    mcp(
      'batch of 20 histories',
      batch('get_historical_wait_times', (round) => ({
        iata: DEAREST_AIRPORT,
        from: localDay(now, 89 - (round % 60)),
      })),
    ),
    mcp(
      'batch of 20 itineraries',
      batch('check_schengen_days', (round) => tools['check_schengen_days']![1]!(round)),
    ),
    mcp(
      'arguments 60 deep',
      () =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_faa_delays","arguments":{"iata":[${Array.from({ length: 2_000 }, () => deep(50)).join(',')}]}}}`,
    ),
    mcp('arguments of 250,000 characters', () =>
      rpc('tools/call', { name: 'search_airports', arguments: { query: 'é '.repeat(80_000) } }),
    ),
    mcp(
      'arguments 5,000 deep',
      () =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_faa_delays","arguments":{"iata":${deep(5_000)}}}}`,
    ),
    mcp('60,000 messages', () => `[${Array.from({ length: 60_000 }, () => '{}').join(',')}]`),
    {
      name: 'a query string of 15,000 characters',
      path: (round) => `/api/v1/airports?${'a=1&'.repeat(3_700)}b=${round}`,
    },
    { name: 'a value of 15,000 characters', path: (round) => `/api/v1/airports?q=${'%C3%A9'.repeat(2_500)}${round}` },
    {
      name: 'If-None-Match of 14,000 characters',
      path: () => '/health',
      headers: { 'if-none-match': 'W/"a",'.repeat(2_300) },
    },
    {
      name: 'Accept of 14,000 characters',
      path: () => '/api/v1/airports',
      headers: { accept: 'a/b;q=0.1,'.repeat(1_400) },
    },
    {
      name: 'Accept-Encoding of 14,000 characters',
      path: () => '/api/v1/airports',
      headers: { 'accept-encoding': 'a;q=0.1,'.repeat(1_700) },
    },
    {
      name: 'Authorization of 14,000 characters',
      path: () => '/api/v1/airports',
      headers: { authorization: `Bearer ${'a.b.'.repeat(3_500)}` },
    },
    {
      name: 'Cookie of 14,000 characters',
      path: () => '/',
      headers: { cookie: 'a=b; '.repeat(2_800), accept: 'text/html' },
    },
  ]
}
