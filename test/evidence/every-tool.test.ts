import { expect, test } from 'vitest'
import { TOOLS } from '../../bin/service/registry.ts'
import { UNKNOWN_STATUS } from '../../config/answer-schemas.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { NOW, snapshotAt, THIS_HOUR } from '../api/example-snapshot.ts'
import { forecastFrom, measured } from '../api/fake-snapshot.ts'
import { openHarness } from '../api/harness.ts'
import { readCases } from '../values.ts'
import { callTool, type Json, type JsonObject } from './all-answers.ts'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Numbers that need no evidence, by the end of their path: inputs, counts and what is calculated from them. */
const NEEDS_NO_EVIDENCE = readCases<{ paths: [path: string, reason: string][] }>(
  'evidence/needs-no-evidence.json',
).paths.map(([path]) => new RegExp(path))

/** The objects that contain a number, innermost first. */
type Containers = JsonObject[]

const isPresent = (value: Json | undefined) => value !== null && value !== undefined && value !== ''

/** A reference fact: with its page, and its date or a caution. Baggage limits have these in a field of their own. */
const isFact = (object: JsonObject): boolean =>
  (isObject(object.limits_evidence) && isFact(object.limits_evidence)) ||
  (isPresent(object.source) && 'as_of' in object && (isPresent(object.as_of) || isPresent(object.caution)))
/** The wait that a forecast was adjusted to: it has the instant instead of an age. */
const isAdjustedTo = (object: JsonObject) => 'expected_minutes' in object && isPresent(object.observed_at)
/** An observation: measured or reported, with its source and its age, hour or instant. */
const isObserved = (object: JsonObject) =>
  (object.basis === 'measured' || object.basis === 'reported') &&
  isPresent(object.source) &&
  (typeof object.age_seconds === 'number' || isPresent(object.time) || isAdjustedTo(object))
/** A forecast issued by an authority. */
const isIssued = (object: JsonObject) => isPresent(object.issued_at) && isPresent(object.source)
/** The model of a forecast: in the fields of the object, on a model card, or in a direction of a border. */
const isModel = (object: JsonObject) =>
  (object.basis === 'predicted' || object.basis === 'typical') &&
  (isPresent(object.source) || isPresent(object.version) || isPresent(object.model))
const hasModel = (object: JsonObject) =>
  isModel(object) || Object.values(object).some((part) => isObject(part) && isModel(part))
const hasProbability = ({ low, high, probability, confidence }: JsonObject) =>
  (typeof low === 'number' && typeof high === 'number') || typeof (probability ?? confidence) === 'number'

/** A step or closing time of a departure: by a page, by the caller, or assumed, and it says which. */
const isStep = ({ basis, source, p90_minutes }: JsonObject) =>
  isPresent(source) &&
  (basis === 'published' || basis === 'assumed' || basis === 'caller' || (isPresent(basis) && isPresent(p90_minutes)))

/** The spread of a wait that stands beside it, with its basis, source and age. */
const isSpreadOf = ({ wait, spread }: JsonObject, containers: Containers) =>
  isObject(wait) && isObject(spread) && isObserved(wait) && containers.includes(spread)

const hasEvidence = (containers: Containers) =>
  containers.slice(0, 1).some(isStep) ||
  containers.some((object) => isSpreadOf(object, containers)) ||
  containers.some((object) => isFact(object) || isObserved(object) || isIssued(object)) ||
  (containers.slice(0, 1).some(hasProbability) && containers.some(hasModel))

/** Every number of a tool's answer without basis, source and age, or without model and probability, in the objects that contain it. */
function numbersWithoutEvidence(value: Json, path: string, containers: Containers = []): string[] {
  if (typeof value === 'number') {
    const needsNone = NEEDS_NO_EVIDENCE.some((pattern) => pattern.test(path))
    return needsNone || hasEvidence(containers) ? [] : [`${path}: ${value}`]
  }
  if (Array.isArray(value))
    return value.flatMap((element, index) => numbersWithoutEvidence(element, `${path}[${index}]`, containers))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, field]) =>
    numbersWithoutEvidence(field, `${path}.${key}`, [value, ...containers]),
  )
}

/** Further arguments of a tool, for figures that its example does not show. */
const MORE_ARGUMENTS: Record<string, object[]> = {
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

/** A service with a measured wait of JFK, and only a forecast of LGA, three hours old. */
async function openTestService() {
  const harness = await openHarness()
  const forecast = forecastFrom('LGA', THIS_HOUR - 3 * 3_600_000)
  const expected = {
    average_wait_minutes: 3,
    ...UNKNOWN_STATUS,
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

/** Copies of an answer, each without one field of evidence, and the path of that field. */
function withoutEvidenceFields(answer: JsonObject): { path: string; copy: JsonObject }[] {
  const copies: { path: string; copy: JsonObject }[] = []
  const visit = (node: Json, path: (string | number)[]): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (/^(basis|source|age_seconds|as_of)$/.test(key) && value !== null) {
        const copy = structuredClone(answer)
        const parent = path.reduce<Json>((node, step) => (node as JsonObject)[step] ?? null, copy) as JsonObject
        delete parent[key]
        copies.push({ path: [...path, key].join('.'), copy })
      } else visit(value, [...path, key])
    }
  }
  visit(answer, [])
  return copies
}

test('every number of all 22 tools has its basis, source and age, and every forecast its probability', async () => {
  const harness = await openTestService()
  const found = new Map<string, number>()
  // The report is filed first, so that the other tools see it.
  const tools = TOOLS.toSorted((a, b) => Number(a.annotations.readOnlyHint) - Number(b.annotations.readOnlyHint))
  expect(tools).toHaveLength(22)
  for (const { name, example } of tools)
    for (const toolArguments of [example, ...(MORE_ARGUMENTS[name] ?? [])]) {
      const { structuredContent: answer } = await callTool(harness, name, toolArguments)
      expect(numbersWithoutEvidence(answer, name), `${name} ${JSON.stringify(toolArguments)}`).toEqual([])
      for (const { copy } of withoutEvidenceFields(answer).slice(0, 40))
        if (numbersWithoutEvidence(copy, name).length > 0) found.set(name, (found.get(name) ?? 0) + 1)
    }
  // The check can fail: without a field of evidence, it reports numbers of these answers.
  for (const name of ['compare_airports', 'get_airport_overview', 'get_security_wait_estimate', 'get_best_time_to_fly'])
    expect(found.get(name), name).toBeGreaterThan(0)
  for (const name of ['get_faa_delays', 'get_crowd_reports', 'get_airline_baggage_rankings', 'get_aviation_weather'])
    expect(found.get(name), name).toBeGreaterThan(0)
})

test('a wait in a text has its basis and age there too', async () => {
  const harness = await openTestService()
  for (const iata of ['JFK', 'LGA']) {
    for (const [name, toolArguments] of [
      ['get_security_wait_estimate', { iata }],
      ['get_airport_overview', { iata }],
      ['compare_airports', { airports: [iata, 'ZRH'] }],
    ] as const) {
      const { content } = await callTool(harness, name, toolArguments)
      const lines = (content[0]?.text ?? '').split('\n').filter((line) => /\b\d+ min/.test(line))
      for (const line of lines.filter((line) => /security/i.test(line)))
        expect(line, name).toMatch(
          /(measured|reported by travellers) .* ago|forecast from its own past|typical of airports of its size, not measured/,
        )
      expect(lines.length, name).toBeGreaterThan(0)
    }
  }
})
