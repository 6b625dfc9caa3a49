import { afterAll, beforeAll, expect, it } from 'vitest'
import { airportDirectory } from '../../../config/airports/directory.ts'
import { allSources, type Source } from '../../../config/sources.ts'
import { emptyMemory } from '../../../pipeline/collecting/collect-context.ts'
import { requestsOf } from '../../../pipeline/collecting/source-requests.ts'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseContext } from '../../../pipeline/parsing/parse-body.ts'
import {
  type RunningSimulatedWorld,
  type SentReading,
  startSimulatedWorld,
} from '../../../pipeline/simulator/server.ts'
import { simulatedSources } from '../../../pipeline/simulator/simulated-sources.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { repetitions } from '../../exhaustive.ts'
import { testTransport } from '../test-pipeline.ts'

/** Morning of a Friday and night in America, other times of day in Europe and Asia. `collectors/all-payloads.test.ts` has the states between. */
const INSTANTS = ['2026-11-20T12:10:20Z', '2026-11-21T07:05:05Z']
  .slice(0, repetitions(1, 2))
  .map((instant) => Date.parse(instant))
let now = INSTANTS[0]!
let simulator: RunningSimulatedWorld
let sent: SentReading[] = []
beforeAll(async () => {
  simulator = await startSimulatedWorld({
    seed: 7,
    now: () => now,
    onExpectedReadings: (readings) => sent.push(...readings),
  })
})
afterAll(() => simulator.close())

/** Sources with levels, or with numbers in an unknown unit: their collectors land no minutes. */
const WITHOUT_MINUTES = ['cle-levels', 'doh-xovis', 'muc-passngr']

const readable = (source: Source) => {
  if (!source.active || source.timeliness !== 'live') return false
  const collector = collectorById(source.collector)
  return (
    source.active && source.timeliness === 'live' && collector.lands === 'readings' && collector.transport === 'http'
  )
}

/** The readings that the source's collector returns for all its answers at an instant. */
async function collected(source: Source): Promise<ParsedReading[]> {
  const collector = collectorById(source.collector)
  const transport = testTransport(simulator.url, { now: () => now, sleep: async () => undefined })
  const context = { transport, now: () => now, memory: emptyMemory() }
  const readings: ParsedReading[] = []
  for (const request of await requestsOf(source, collector, context)) {
    const answer = await transport.fetch(request, source, null)
    const capture = { ...answer, iata: request.iata, url: answer.url }
    const parsed = collector.parse(new TextDecoder().decode(answer.body), parseContext(source, capture))
    readings.push(...(parsed.readings as ParsedReading[]))
  }
  return readings
}

const keyOf = ({ kind, iata, terminal, checkpoint, lane, observed_at }: ParsedReading | SentReading) =>
  [kind, iata, terminal, checkpoint, lane, observed_at].join(' | ')
const waitOf = (row: ParsedReading | SentReading) =>
  [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].join(' ')

const sources = simulatedSources(allSources()).filter(readable)

it.each(sources.map((source) => [source.id, source] as const))(
  'a collector lands exactly what a simulated site publishes: %s',
  async (_, source) => {
    let minutes = 0
    for (const instant of INSTANTS) {
      now = instant
      sent = []
      const readings = await collected(source)
      for (const { kind } of readings) expect([source.kind, ...source.further_kinds]).toContain(kind)
      const readable = readings.filter((row) => waitOf(row) !== '  ' || row.status === 'closed')
      const landed = readable.map((row) => `${keyOf(row)} = ${row.status === 'closed' ? 'closed' : waitOf(row)}`)
      const expected = sent.map((row) => `${keyOf(row)} = ${row.closed ? 'closed' : waitOf(row)}`)
      expect(landed.toSorted()).toEqual([...new Set(expected)].toSorted())
      expect(sent.every((row) => row.source === source.id)).toBe(true)
      minutes += readable.filter((row) => row.status !== 'closed').length
    }
    expect(minutes > 0).toBe(!WITHOUT_MINUTES.includes(source.id))
    for (const iata of source.airports) expect(airportDirectory().byIata.has(iata)).toBe(true)
  },
)
