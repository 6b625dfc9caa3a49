import { expect, test } from 'vitest'
import { TOOLS } from '../../api/registry.ts'
import { isoUtc } from '../../config/domain.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../api/example-snapshot.ts'
import { forecastFrom, measured } from '../api/fake-snapshot.ts'
import { openHarness } from '../api/harness.ts'
import { bare } from './beside.ts'
import { callTool } from './surfaces.ts'
import type { Json, JsonObject } from './unexplained.ts'

/** Besides its example: what shows the figures that the example does not. */
const MORE: Record<string, object[]> = {
  get_airport_overview: [{ iata: 'LGA' }, { iata: 'ZRH' }],
  compare_airports: [{ airports: ['JFK', 'LGA', 'XSM'] }],
  get_security_wait_estimate: [{ iata: 'LGA' }, { iata: 'XSM' }],
  get_best_time_to_fly: [{ iata: 'LGA', departure: isoUtc(NOW + 30 * 3_600_000) }],
  get_faa_delays: [{}],
  get_crowd_reports: [{ iata: 'JFK' }],
  get_airline_baggage_rankings: [{ period: '2023' }, { period: '2025' }, { period: '2018-11..2019-08' }],
  get_airline_baggage_policy: ['UA', 'FR', 'NK', 'LX'].map((airline) => ({ airline })),
  get_ees_wait_times: [{}],
  check_schengen_days: [{ trips: [{ entry: '2026-10-01', country: 'HR' }], on: '2026-11-21', day_by_day: true }],
  search_airports: [{ query: 'NYC' }],
  discover_more_flight_tools: [{}],
}

/** JFK is measured; of LGA there is a forecast alone, three hours old. */
async function openWorld() {
  const harness = await openHarness()
  const forecast = forecastFrom('LGA', THIS_HOUR - 3 * 3_600_000)
  const expected = {
    average_wait_minutes: 3,
    basis: 'predicted' as const,
    source: forecast.model.version,
    terminals: [],
    observed_at: null,
    age_seconds: null,
    freshness: null,
    unavailable_reason: null,
  }
  harness.controls.snapshot = snapshotAt(NOW, {
    queues: { 'JFK security': measured(NOW, 14), 'LGA security': expected },
    forecasts: [forecastFrom('JFK', THIS_HOUR), forecast],
  })
  return harness
}

/** Copies of an answer, each without one of the fields that stand beside its numbers, with the path of it. */
function stripped(answer: JsonObject): { path: string; copy: JsonObject }[] {
  const copies: { path: string; copy: JsonObject }[] = []
  const visit = (node: Json, path: (string | number)[]): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (/^(basis|source|age_seconds|as_of)$/.test(key) && value !== null) {
        const copy = structuredClone(answer)
        const parent = path.reduce<Json>((at, step) => (at as JsonObject)[step] ?? null, copy) as JsonObject
        delete parent[key]
        copies.push({ path: [...path, key].join('.'), copy })
      } else visit(value, [...path, key])
    }
  }
  visit(answer, [])
  return copies
}

test('of all 22 tools every number about the world stands beside its basis, source and age, and a forecast beside its odds', async () => {
  const harness = await openWorld()
  const found = new Map<string, number>()
  // First of all a report is filed, for the others to see.
  const tools = TOOLS.toSorted((a, b) => Number(a.annotations.readOnlyHint) - Number(b.annotations.readOnlyHint))
  expect(tools).toHaveLength(22)
  for (const { name, example } of tools)
    for (const given of [example, ...(MORE[name] ?? [])]) {
      const { structuredContent: answer } = await callTool(harness, name, given)
      expect(bare(answer, name), `${name} ${JSON.stringify(given)}`).toEqual([])
      for (const { copy } of stripped(answer).slice(0, 40))
        if (bare(copy, name).length > 0) found.set(name, (found.get(name) ?? 0) + 1)
    }
  // The rule can be broken: without what stands beside it, a number of these answers is found.
  for (const name of ['compare_airports', 'get_airport_overview', 'get_security_wait_estimate', 'get_best_time_to_fly'])
    expect(found.get(name), name).toBeGreaterThan(0)
  for (const name of ['get_faa_delays', 'get_crowd_reports', 'get_airline_baggage_rankings', 'get_aviation_weather'])
    expect(found.get(name), name).toBeGreaterThan(0)
})

test('a wait that a text tells stands beside its basis and age there too', async () => {
  const harness = await openWorld()
  for (const iata of ['JFK', 'LGA']) {
    for (const [name, given] of [
      ['get_security_wait_estimate', { iata }],
      ['get_airport_overview', { iata }],
      ['compare_airports', { airports: [iata, 'ZRH'] }],
    ] as const) {
      const { content } = await callTool(harness, name, given)
      const lines = (content[0]?.text ?? '').split('\n').filter((line) => /\b\d+ min/.test(line))
      for (const line of lines.filter((line) => /security/i.test(line)))
        expect(line, name).toMatch(
          /\((measured|reported), .* ago, source|\((predicted|typical), not an observation, .*source/,
        )
      expect(lines.length, name).toBeGreaterThan(0)
    }
  }
})
