import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { projectFile } from '../../../config/paths.ts'
import { allSources } from '../../../config/sources.ts'
import { HEALTH } from '../../site/source-health.ts'
import { NOW, snapshotAt } from '../example-snapshot.ts'
import { type Harness, openHarness } from '../harness.ts'
import { toolCall } from '../mcp/requests.ts'

async function scrape({ call }: Harness) {
  const answer = await call(null, '/metrics')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  return readSamples(answer.body)
}
const REQUESTS = 'holdshort_http_request_duration_seconds'

test('counts answers with their durations by route template, method and class of status, and refusals by status', async () => {
  const harness = await openHarness()
  const { call } = harness
  await call('free', '/api/v1/airports/JFK/delays')
  await call('free', '/api/v1/airports/LGA/delays')
  await call('free', '/api/v1/airports/LGA/delays', { method: 'HEAD' })
  await call('free', '/api/v1/airports/QQQ/delays')
  await call('free', '/api/v1/airports/JFK/wait-times')
  await call(null, '/api/v1/airports/JFK/delays')
  const samples = await scrape(harness)
  const delays = { route: '/api/v1/airports/:iata/delays' }
  expect(sampled(samples, `${REQUESTS}_count`, { ...delays, method: 'GET', status: '2xx' })).toBe(2)
  expect(sampled(samples, `${REQUESTS}_count`, { ...delays, method: 'HEAD', status: '2xx' })).toBe(1)
  expect(sampled(samples, `${REQUESTS}_count`, { ...delays, method: 'GET', status: '4xx' })).toBe(2)
  const served = { ...delays, method: 'GET', status: '2xx' }
  expect(sampled(samples, `${REQUESTS}_bucket`, { ...served, le: '+Inf' })).toBe(2)
  expect(sampled(samples, `${REQUESTS}_sum`, served)).toBeGreaterThan(0)
  expect(sampled(samples, 'holdshort_http_refusals_total', { status: '401' })).toBe(1)
  expect(sampled(samples, 'holdshort_http_refusals_total', { status: '403' })).toBe(1)
})

test('counts the decisions of the gate, and MCP calls by tool', async () => {
  const harness = await openHarness()
  const { call } = harness
  await call(null, '/api/v1/airports', { headers: { 'x-api-key': 'nonsense' } })
  for (const tool of ['get_airport_overview', 'get_wait_time_predictions', 'made_up'])
    await call('free', '/mcp', toolCall(tool, { iata: 'JFK' }))
  for (let count = 3; count < 32; count++) await call('free', '/api/v1/airports/JFK/delays')
  const samples = await scrape(harness)
  const decided = (decision: string) => sampled(samples, 'holdshort_gate_decisions_total', { decision })
  expect(['admitted', 'refused_minute', 'refused_month', 'invalid_key'].map(decided)).toEqual([30, 2, 0, 1])
  expect(sampled(samples, 'holdshort_http_refusals_total', { status: '429' })).toBe(2)
  const called = samples.filter(({ name }) => name === 'holdshort_mcp_tool_calls_total')
  expect(called.map(({ labels, value }) => [labels.tool, labels.outcome, value])).toEqual([
    ['get_airport_overview', 'ok', 1],
    ['get_wait_time_predictions', 'error', 1],
    ['unknown', 'error', 1],
  ])
})

test('clients cannot create labels, whatever they request', async () => {
  const harness = await openHarness()
  const { call, app } = harness
  for (let count = 0; count < 50; count++) {
    await call(null, `/nowhere/${count}?q=${count}`)
    await call('pro', `/api/v1/airports/A${String.fromCharCode(65 + (count % 26))}Z/delays?v=${count}`)
  }
  await call('free', '/api/v1/airports/%zz/delays')
  await call('free', `/api/v1/airports/${'A'.repeat(300)}/delays`)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('MKACTIVITY /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  )
  for await (const chunk of socket) expect(String(chunk)).toContain('404')

  const samples = await scrape(harness)
  const counted = samples.filter(({ name }) => name === `${REQUESTS}_count`)
  const counts = counted.map(({ labels, value }) => [labels.route, labels.method, labels.status, value])
  expect(counts.sort()).toEqual([
    ['/api/v1/airports/:iata/delays', 'GET', '4xx', 50],
    ['unknown', 'GET', '4xx', 52],
    ['unknown', 'unknown', '4xx', 1],
  ])
})

test('reports the current snapshot and sources, without error messages', async () => {
  const harness = await openHarness()
  harness.controls.snapshot = snapshotAt(NOW - 90_000, { id: 'first', health: HEALTH })
  await scrape(harness)
  harness.controls.snapshot = snapshotAt(NOW - 30_000, { id: 'second', simulated: true, health: HEALTH })
  const samples = await scrape(harness)
  expect(sampled(samples, 'holdshort_snapshot_age_seconds')).toBe(30)
  expect(samples.filter(({ name }) => name === 'holdshort_snapshot_info')).toEqual([
    { name: 'holdshort_snapshot_info', labels: { id: 'second', simulated: 'true' }, value: 1 },
  ])
  expect(sampled(samples, 'holdshort_status', { status: 'degraded' })).toBe(1)
  expect(sampled(samples, 'holdshort_status', { status: 'ok' })).toBe(0)
  const source = 'panynj-graphql'
  const states = samples.filter(({ name, labels }) => name === 'holdshort_source_state' && labels.source === source)
  expect(states.map(({ labels, value }) => [labels.state, value])).toEqual([['failing', 1]])
  expect(sampled(samples, 'holdshort_sources', { state: 'failing' })).toBeGreaterThan(0)
  expect(sampled(samples, 'holdshort_source_reading_age_seconds', { source })).toBe(240)
  expect(JSON.stringify(samples)).not.toMatch(/s3cr3t|srv/)
})

test('omits the snapshot gauges while there is no snapshot, and always reports the process metrics', async () => {
  const harness = await openHarness()
  await scrape(harness)
  harness.controls.snapshot = null
  const samples = await scrape(harness)
  expect(sampled(samples, 'holdshort_snapshot_age_seconds')).toBeUndefined()
  expect(sampled(samples, 'holdshort_snapshot_info')).toBeUndefined()
  expect(sampled(samples, 'holdshort_status', { status: 'starting' })).toBe(1)
  expect(sampled(samples, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_start_time_seconds'])
    expect(sampled(samples, name), name).toBeDefined()
})

test('has under 300 series where every source of the catalogue has readings and nobody asks anything', async () => {
  const harness = await openHarness()
  const [first] = HEALTH
  const health = allSources().map(({ id: source }) => ({ ...first!, source }))
  harness.controls.snapshot = snapshotAt(NOW, { health })
  const samples = await scrape(harness)
  expect(samples.filter(({ name }) => name === 'holdshort_source_state').length).toBeGreaterThan(60)
  expect(samples.length).toBeLessThan(300)
})

test('the alert rules and the dashboard name metrics that exist', async () => {
  const harness = await openHarness()
  harness.controls.snapshot = snapshotAt(NOW, { health: HEALTH })
  await harness.call(null, '/api/v1/airports')
  const known = new Set((await scrape(harness)).map(({ name }) => name))
  for (const file of ['alerts.yaml', 'grafana.json']) {
    const text = readFileSync(projectFile('deploy', 'monitoring', file), 'utf8')
    const named = new Set(text.match(/\b(?:holdshort|process|nodejs)_\w+/g))
    expect(named.size, file).toBeGreaterThan(3)
    for (const name of named) expect(known, `${file} ${name}`).toContain(name)
  }
})

interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (Na[nN]|[+-]Inf|[-+]?[\d.]+(?:e[+-]?\d+)?)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g

/** Parses Prometheus text (format 0.0.4; prom-client writes Nan, which parsers accept). Expects a type before every sample, no duplicates and nothing else. */
function readSamples(text: string): Sample[] {
  const typed = new Map<string, string>()
  const seen = new Set<string>()
  const samples: Sample[] = []
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)
    if (type) {
      expect(typed.has(type[1]!), line).toBe(false)
      typed.set(type[1]!, type[2]!)
      continue
    }
    const [, name = '', inside = '', value = ''] = SAMPLE.exec(line) ?? []
    expect(name, line).not.toBe('')
    expect(typed.has(name) || typed.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram', line).toBe(true)
    expect(inside.replaceAll(LABEL, ''), line).toBe('')
    expect(seen.has(`${name}{${inside}}`), line).toBe(false)
    seen.add(`${name}{${inside}}`)
    const labels = Object.fromEntries([...inside.matchAll(LABEL)].map(([, label, text]) => [label!, text!]))
    samples.push({ name, labels, value: Number(value.replace('Inf', 'Infinity').replace('Nan', 'NaN')) })
  }
  return samples
}

/** The value of the only sample with this name and these labels; undefined if there is none. */
function sampled(samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  )
  expect(found.length, `${name} ${JSON.stringify(labels)}`).toBeLessThan(2)
  return found[0]?.value
}
