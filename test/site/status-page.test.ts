import { Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { beforeEach, expect, test } from 'vitest'
import { NOT_MEASURED } from '../../api/status/availability.ts'
import { statusReport } from '../../api/status/status-report.ts'
import { sourceById } from '../../config/sources.ts'
import { rulesVersions } from '../../config/time-zones/rules.ts'
import { createCallClient, implementCall } from '../../jobs/calls/define-call.ts'
import { type PipelineState, pipelineStateCall } from '../../jobs/calls/pipeline-state.ts'
import { statusPage } from '../../site/status/status-page.tsx'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { type Harness, openHarness, shareHarness } from '../api/harness.ts'
import { inProcessClient } from '../jobs/calls/in-process-client.ts'
import { HEALTH, SECRET_MESSAGE } from './source-health.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const page = ({ call }: Harness) => call(null, '/status', { headers: { accept: BROWSER } })
const harness = shareHarness()
const { call, controls } = harness

beforeEach(() => {
  controls.snapshot = snapshotAt(NOW - 90_000, { id: 'trouble', health: HEALTH })
})

test('JSON reports the whole service, counts the states and is the default without an Accept header', async () => {
  const response = await call(null, '/status')
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  const { sources, ...whole } = response.json()
  const rules = rulesVersions()
  expect(rules.runtime).toBe(process.versions['tz'])
  expect(whole).toEqual({
    status: 'degraded',
    availability: { promised_percent: null, measured_percent: null, measured_since: null },
    reason: 'Only 2 of 5 sources requested so far are healthy.',
    simulated: false,
    checked_at: '2026-11-21T14:20:00Z',
    snapshot: { id: 'trouble', generated_at: '2026-11-21T14:18:30Z', age_seconds: 90 },
    time_zone_rules: { version: rules.ours, runtime_version: rules.runtime, is_outdated: rules.is_runtime_newer },
    weather_alert_zones: null,
    warehouse_held_by: null,
    counts: { healthy: 2, degraded: 1, failing: 1, open_circuit: 1, not_asked: 1, off: 1 },
  })
  expect(sources).toHaveLength(7)
  for (const accept of ['*/*', 'application/json', 'text/html;q=0.5, application/json'])
    expect((await call(null, '/status', { headers: { accept } })).headers.etag, accept).toBe(response.headers.etag)
})

test('says for how many airports the zones of their weather alerts are known', async () => {
  expect((await page(harness)).body).not.toContain('Weather alerts: zones')
  controls.snapshot = snapshotAt(NOW, { id: 'zones', health: HEALTH, knownAlertZones: { known: 41, of: 616 } })
  expect((await call(null, '/status')).json().weather_alert_zones).toEqual({ known: 41, of: 616 })
  const { body } = await page(harness)
  expect(body.replace(/\s+/g, ' ')).toContain('Weather alerts: zones known for 41 of 616 US airports.')
})

test('says for which process what is collected waits, in JSON and on the page, as long as it does', async () => {
  const analyst = { name: 'python3', pid: 4711, since: '2026-11-21T14:02:00Z' }
  let held_by: PipelineState['held_by'] = analyst
  const pipelineClient = inProcessClient(implementCall(pipelineStateCall, async () => ({ held_by, failed_with: null })))
  const waiting = await openHarness({}, { pipelineClient })
  const json = async () => (await waiting.call(null, '/status')).json().warehouse_held_by
  const html = async () => (await page(waiting)).body
  expect(await json()).toEqual(analyst)
  expect(await html()).toContain('<strong>python3</strong> (process 4711) holds the warehouse; it runs since')
  held_by = null
  waiting.controls.now += 5_000
  expect(await json()).toBe(null)
  expect(await html()).not.toContain('python3')
})

test('answers although the pipeline gives no answer', async () => {
  const pipelineClient = createCallClient(() => new Promise(() => undefined))
  const waiting = await openHarness({}, { pipelineClient })
  const answers = await Promise.all([waiting.call(null, '/status'), waiting.call(null, '/status')])
  for (const answer of answers) expect(answer.json()).toMatchObject({ warehouse_held_by: null })
})

test('a source has its catalogue entry, state, ages as of now and windows with shares rounded down', async () => {
  const { sources } = (await call(null, '/status')).json()
  expect(sources[3]).toEqual({
    source: 'panynj-graphql',
    name: 'Port Authority checkpoint waits',
    kind: 'security',
    airports: ['JFK', 'LGA', 'EWR'],
    publisher: 'airport',
    cadence_seconds: 180,
    state: 'failing',
    since: '2026-11-21T12:45:00Z',
    reason: 'The last run failed: the site could not be reached.',
    error_code: 'FETCH_FAILED',
    last_success_at: '2026-11-21T14:18:00Z',
    last_success_age_seconds: 120,
    newest_observed_at: '2026-11-21T14:16:00Z',
    newest_observed_age_seconds: 240,
    content_changed_at: '2026-11-21T14:11:00Z',
    content_changed_age_seconds: 540,
    rows: 14,
    usual_rows: 14.5,
    attribution: 'Port Authority of New York and New Jersey',
    windows: [
      { hours: 24, runs: 288, uptime: 0.42, freshness: 0.4 },
      { hours: 168, runs: 2_016, uptime: 0.999, freshness: 1 },
      { hours: 720, runs: 0, uptime: null, freshness: null },
    ],
    days: [...Array.from({ length: 29 }, () => null), 0.42],
  })
  const reasons = sources.map(({ reason }: { reason: string | null }) => reason)
  expect(reasons[2]).toBe('Its newest reading is <3 h> old.')
  expect(reasons.at(-1)).toBe(sourceById('lax-html').why_off)
  expect([sources[0].reason, sources[1].reason, sources[1].error_code]).toEqual([null, null, null])
})

test('the text of a failure and unknown error codes are never published', async () => {
  for (const { body } of [await call(null, '/status'), await page(harness)]) {
    for (const part of [SECRET_MESSAGE, 's3cr3t', '/srv/', 'toString']) expect(body).not.toContain(part)
    expect(body).toContain('Requested only occasionally, because it failed too often: it did not answer as expected.')
  }
})

test('the page shows the same with failing sources first', async () => {
  const { body } = await page(harness)
  expect([...body.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id)).toEqual([
    'open_circuit',
    'failing',
    'degraded',
    'incidents',
    'how',
    'healthy',
    'not_asked',
    'off',
  ])
  expect(body).toContain('<strong>Degraded</strong> <span>Only 2 of 5 sources requested so far are healthy.</span>')
  expect(body).toContain('Its newest reading is &lt;3 h> old.')
  // Of thirty days one is known: the figures say since when.
  expect(body).toMatch(/(<rect class="track"[^>]*><\/rect>){29}<rect class="bad"/)
  expect(body).toContain('99.9\u00a0% answered, 100\u00a0% fresh since 21 Nov 2026')
  expect(body).toContain('<li>Today: Port Authority checkpoint waits answered 42\u00a0% of the requests</li>')
})

test('the status is starting before the first snapshot and before the first run', async () => {
  controls.snapshot = null
  expect((await call(null, '/status')).json()).toMatchObject({
    status: 'starting',
    reason: 'No snapshot has been published yet.',
    snapshot: null,
    simulated: null,
    sources: [],
  })
  expect((await page(harness)).body).toContain('<strong>Starting</strong> <span>No snapshot has been')
})

test('the status is down when the pipeline has stopped, and ages grow with the clock', async () => {
  controls.now += 2 * 3_600_000
  const { status, reason, snapshot, sources } = (await call(null, '/status')).json()
  expect([status, reason]).toEqual(['down', expect.stringMatching(/^Nothing has been published for 2 h, .* no answer/)])
  expect([snapshot.age_seconds, sources[0].newest_observed_age_seconds]).toEqual([7_290, 7_440])
})

test('HTTP: 304, HEAD, 405, 406, any origin, and an entity tag per media type', async () => {
  const json = await call(null, '/status')
  const html = await page(harness)
  expect(html.headers.etag).not.toBe(json.headers.etag)
  expect([json.headers['cache-control'], json.headers['access-control-allow-origin']]).toEqual([
    'public, max-age=5',
    '*',
  ])
  expect(json.headers.vary).toContain('Accept')
  const again = { headers: { 'if-none-match': String(json.headers.etag) } }
  expect((await call(null, '/status', again)).statusCode).toBe(304)
  controls.now += 5_000
  expect((await call(null, '/status', again)).json().checked_at).toBe('2026-11-21T14:20:05Z')
  expect(await call(null, '/status', { method: 'HEAD' })).toMatchObject({ statusCode: 200, body: '' })
  expect((await call(null, '/status', { method: 'POST' })).headers.allow).toBe('GET, HEAD')
  expect((await call(null, '/status', { headers: { accept: 'image/png' } })).statusCode).toBe(406)
})

test('both faces say when the time zone rules of Node.js are newer than ours', () => {
  const rules = { ours: '2026f', runtime: '2027a', is_runtime_newer: true }
  const report = statusReport(null, NOW, NOT_MEASURED, [], null, rules)
  expect(report.time_zone_rules).toEqual({ version: '2026f', runtime_version: '2027a', is_outdated: true })
  const shown = renderToString(h(Fragment, null, statusPage(report).body))
  expect(shown).toContain('Node.js has newer time zone rules (2027a) than those in use (2026f)')
  const same = statusReport(null, NOW, NOT_MEASURED, [], null, {
    ours: '2027a',
    runtime: '2027a',
    is_runtime_newer: false,
  })
  expect(renderToString(h(Fragment, null, statusPage(same).body))).toContain('time zone rules 2027a.')
})
