import { TIERS } from '../../../config/tiers.ts'

const observed = {
  basis: 'measured',
  observed_at: '2026-11-21T14:18:00Z',
  age_seconds: 120,
  source: 'panynj',
  freshness: 'live',
}
const unknown = { basis: null, observed_at: null, age_seconds: null, source: null, freshness: null }
const noQueue = {
  average_wait_minutes: null,
  ...unknown,
  unavailable_reason: 'no source covers this queue',
  terminals: [],
}

const waitTimes = {
  airport: 'JFK',
  timestamp: '2026-11-21T14:20:00Z',
  granularity: 'airport',
  security: { average_wait_minutes: 14, ...observed, unavailable_reason: null, terminals: [] },
  check_in: noQueue,
  immigration: noQueue,
  predictions: {
    next_hour: 16,
    confidence: 0.73,
    low: 9,
    high: 27,
    valid_at: '2026-11-21T15:00:00Z',
    ...unknown,
    basis: 'predicted',
    source: 'model:JFK@2026-11-20T04Z',
    unavailable_reason: null,
  },
  simulated: false,
}

/** One example of each JSON answer, by the name of its schema. A test checks each against its schema. Invented figures. */
export const ANSWER_EXAMPLES: Record<string, object> = {
  Registration: { success: true, agent_id: 'acct_…', api_key: 'hs_agent_…', tier: 'free' },
  AccountOverview: {
    account: { id: 'acct_…', name: 'an agent', created_at: '2026-11-01T09:00:00Z' },
    key: { id: 'key_…', prefix: 'hs_agent_', last_four: 'x7Qa', created_at: '2026-11-01T09:00:00Z' },
    tier: 'free',
    limits: { requests_per_minute: TIERS.free.requests_per_minute, calls_per_month: TIERS.free.calls_per_month },
    usage: {
      month: '2026-11',
      calls: 40,
      remaining: TIERS.free.calls_per_month - 40,
      overage_calls: 0,
      by_endpoint: { listAirports: 30, get_faa_delays: 10 },
    },
    features: TIERS.free.features,
  },
  AirportPage: {
    data: [
      {
        iata: 'JFK',
        icao: 'KJFK',
        name: 'John F. Kennedy International Airport',
        city: 'New York',
        country: 'US',
        region: 'US-NY',
        latitude: 40.6397,
        longitude: -73.7789,
        elevation_ft: 13,
        timezone: 'America/New_York',
        size: 'large',
        scheduled_service: true,
        live: true,
        sources: ['panynj', 'faa-nas'],
      },
    ],
    pagination: { page: 1, limit: 50, total: 1, total_pages: 1 },
    simulated: false,
  },
  Health: {
    status: 'ok',
    snapshot: { id: '20261121T142000000Z', generated_at: '2026-11-21T14:20:00Z', age_seconds: 40 },
    simulated: false,
  },
  SkillIndex: {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'read-waits-over-rest',
        type: 'skill-md',
        description: 'Get a key and read waits over REST.',
        url: 'https://holdshort.example/.well-known/agent-skills/read-waits-over-rest/SKILL.md',
        digest: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      },
    ],
  },
  WaitTimes: waitTimes,
  BulkWaitTimes: { data: [waitTimes], not_found: ['LAX'], simulated: false },
  Predictions: {
    airport: 'JFK',
    timezone: 'America/New_York',
    date: '2026-11-21',
    generated_at: '2026-11-21T14:20:00Z',
    horizon_hours: 24,
    model: {
      version: 'model:JFK@2026-11-20T04Z',
      trained_at: '2026-11-20T04:00:00Z',
      basis: 'predicted',
      backtest: { mae_minutes: 3.2, baseline_mae_minutes: 4.1, coverage_80: 0.81, samples: 5000 },
    },
    hours: [
      {
        time: '2026-11-21T15:00:00Z',
        local_time: '2026-11-21T10:00:00-05:00',
        wait_minutes: 16,
        low: 9,
        high: 27,
        confidence: 0.73,
      },
    ],
    unavailable_reason: null,
    simulated: false,
  },
  Delays: {
    airport: 'JFK',
    timestamp: '2026-11-21T14:20:00Z',
    supported: true,
    status: 'ground_delay',
    summary: 'Ground delay program because of wind, 42 minutes on average.',
    programs: [
      {
        type: 'ground_delay',
        reason: 'WX:Wind',
        average_minutes: 42,
        min_minutes: null,
        max_minutes: null,
        trend: null,
        start: null,
        end: '2026-11-21T20:00:00Z',
      },
    ],
    closures: [],
    weather: null,
    ...observed,
    source: 'faa-nas',
    simulated: false,
  },
  History: {
    airport: 'JFK',
    timezone: 'America/New_York',
    from: '2026-11-20T14:00:00Z',
    to: '2026-11-21T14:00:00Z',
    granularity: 'hour',
    coverage: 0.04,
    hours: [
      {
        time: '2026-11-21T13:00:00Z',
        terminal: null,
        mean: 13,
        p50: 12,
        p90: 21,
        max: 28,
        samples: 12,
        basis: 'measured',
        source: 'panynj-graphql',
      },
    ],
    pattern: [{ day_of_week: 6, hour: 8, p50: 13, p90: 13, samples: 1 }],
    simulated: false,
  },
  CoveragePage: {
    data: [
      {
        airport: 'JFK',
        name: 'John F. Kennedy International Airport',
        country: 'US',
        facts: [
          {
            fact: 'security',
            state: 'live',
            since: '2026-11-20T07:12:00Z',
            sources: ['panynj-graphql'],
            reason: null,
          },
          {
            fact: 'check_in',
            state: 'unavailable',
            since: null,
            sources: [],
            reason: 'No source of check-in waits covers this airport.',
          },
        ],
      },
    ],
    summary: {
      airports: 9532,
      facts: {
        security: { live: 41, modelled: 3102, unavailable: 6389 },
        check_in: { live: 1, modelled: 0, unavailable: 9531 },
        immigration: { live: 4, modelled: 0, unavailable: 9528 },
        customs: { live: 0, modelled: 0, unavailable: 9532 },
        delays: { live: 540, modelled: 0, unavailable: 8992 },
        weather: { live: 4120, modelled: 0, unavailable: 5412 },
        predictions: { live: 0, modelled: 3143, unavailable: 6389 },
        history: { live: 41, modelled: 0, unavailable: 9491 },
      },
    },
    pagination: { page: 1, limit: 50, total: 9532, total_pages: 191 },
    generated_at: '2026-11-21T14:20:00Z',
    simulated: false,
  },
  Status: {
    status: 'degraded',
    reason: 'Only 52 of 69 sources requested so far are healthy.',
    simulated: false,
    checked_at: '2026-11-21T14:20:40Z',
    snapshot: { id: '20261121T142000000Z', generated_at: '2026-11-21T14:20:00Z', age_seconds: 40 },
    counts: { healthy: 52, degraded: 6, failing: 9, open_circuit: 2, not_asked: 1, off: 15 },
    sources: [
      {
        source: 'sea-cwt',
        name: 'Seattle-Tacoma checkpoint waits',
        kind: 'security',
        airports: ['SEA'],
        publisher: 'airport',
        cadence_seconds: 300,
        state: 'failing',
        since: '2026-11-21T13:05:00Z',
        reason: 'The last run failed: the site could not be reached.',
        error_code: 'FETCH_FAILED',
        last_success_at: '2026-11-21T13:00:00Z',
        last_success_age_seconds: 4840,
        newest_observed_at: '2026-11-21T12:58:00Z',
        newest_observed_age_seconds: 4960,
        content_changed_at: '2026-11-21T12:58:00Z',
        content_changed_age_seconds: 4960,
        rows: 6,
        usual_rows: 6,
        attribution: 'Port of Seattle',
        windows: [
          { hours: 24, runs: 288, uptime: 0.94, freshness: 0.98 },
          { hours: 168, runs: 2016, uptime: 0.991, freshness: 0.996 },
          { hours: 720, runs: 8640, uptime: 0.997, freshness: 0.998 },
        ],
      },
    ],
  },
}

/** The beginning of each text answer, by operation. */
export const TEXT_EXAMPLES: Record<string, string> = {
  getStatus: '<!doctype html><title>Status: degraded</title>…',
  getLlmsIndex: '# Holdshort\n\n> Airport security waits, FAA delays, hourly predictions and history…',
  getLlmsFull: '# Holdshort, the whole of it\n\n> Airport security waits, FAA delays, hourly predictions and history…',
}
