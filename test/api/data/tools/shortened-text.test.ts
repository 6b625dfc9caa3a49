import { beforeAll, expect, test } from 'vitest'
import { type AsyncContext, runQuery } from '../../../../api/data/queries/define.ts'
import { sizedAnswer } from '../../../../api/data/tools/answer-size.ts'
import type { Tool } from '../../../../api/data/tools/define.ts'
import { TOOLS } from '../../../../api/registry.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { isoUtc } from '../../../../config/domain.ts'
import type { Snapshot } from '../../../../warehouse/publishing/snapshot/snapshot.ts'
import { EXHAUSTIVE, repetitions } from '../../../exhaustive.ts'
import { LIVE_WAIT, liveAnswer } from '../../../jobs/calls/live-answer.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'
import { AIRPORTS, ARGUMENTS, EVERYDAY, large, SITUATIONS } from './situations.ts'

/** A tool whose lists are cut as far as they can be, those within entries to one; or not at all. */
const withLimits = (tool: Tool, limitOf: (list: string) => number): Tool => ({
  ...tool,
  limits: Object.fromEntries(Object.keys(tool.limits!).map((list) => [list, limitOf(list)])),
})

const REPORTS = Array.from({ length: 12 }, (_, index) => {
  const observed_at = isoUtc(NOW - (5 + index * 11) * 60_000)
  return { queue: 'security', terminal: null, lane: null, wait_minutes: 5 + index * 7, observed_at, landed_at: null }
})

/** A database with these reports, whatever is asked. */
const reportsAsked: object = new Proxy(
  { execute: async () => REPORTS, executeTakeFirstOrThrow: async () => ({ held: 3 }) },
  { get: (known, name) => Reflect.get(known, name) ?? (() => reportsAsked) },
)

const contextOf = (snapshot: Snapshot) =>
  ({
    snapshot,
    directory: airportDirectory(),
    tier: 'enterprise',
    now: NOW,
    site_url: 'https://holdshort.example',
    signal: new AbortController().signal,
    pipelineClient: {
      call: async () => liveAnswer({ wait: large(), last_known: Object.assign({ ...LIVE_WAIT }, large()) }),
    },
    state: { db: reportsAsked },
  }) as unknown as AsyncContext

const shortening: Tool[] = TOOLS.filter(
  // The index of airport names takes a second to build, so the search is tested in the exhaustive run.
  ({ name, limits, annotations }) =>
    annotations.readOnlyHint && limits !== undefined && (EXHAUSTIVE || name !== 'search_airports'),
)

/** Sentences and entries of a text, without the line about what is left out. */
const partsOf = (text: string) =>
  text
    .split('\n')
    // The names of the others stand only beside a list that is cut.
    .filter((line) => !/^(More|Also): /.test(line))
    .flatMap((line) => line.split(/(?<=[.;:]) /))
    .map((part) => part.replace(/[.;]$/, ''))

interface Pair {
  name: string
  whole: string
  cut: string
}

const pairs: Pair[] = []

beforeAll(async () => {
  for (const [situation, content] of Object.entries(SITUATIONS)) {
    if (!EXHAUSTIVE && situation !== EVERYDAY) continue
    const context = contextOf(snapshotAt(NOW, content))
    for (const tool of shortening) {
      const { name, example, query } = tool
      const others = AIRPORTS.filter((iata) => !('destination' in example) || iata !== example.destination)
      const airports = 'iata' in query.input.shape ? others.map((iata) => Object.assign({ ...example }, { iata })) : []
      const inputs: object[] = [
        example,
        ...(ARGUMENTS[name] ?? []).slice(0, repetitions(1, 9)),
        ...(EXHAUSTIVE ? airports : []),
      ]
      for (const input of inputs) {
        const answer = (await runQuery(query, input, context)) as Record<string, unknown>
        const sized = (limitOf: (list: string) => number) =>
          sizedAnswer(withLimits(tool, limitOf), answer, { view: { detail: 'brief', page: 1 }, input, site_url: '' })
            .text
        const cut = sized((list) => (list.includes('.') ? 1 : 0))
        pairs.push({ name: `${situation}: ${name}`, whole: sized(() => Number.POSITIVE_INFINITY), cut })
      }
    }
  }
})

test('the first line of every tool is the same however much its lists are cut', () => {
  const firstOf = (text: string) => text.split('\n')[0]
  for (const { name, whole, cut } of pairs) expect(firstOf(cut), name).toBe(firstOf(whole))
  expect(pairs.filter(({ whole, cut }) => whole !== cut).length).toBeGreaterThan(20)
})

test('a cut text says nothing that the whole one does not: a shorter list names how many more there are', () => {
  const lists = /(and \d+ more|\d+ not listed here)\)?$/
  for (const { name, whole, cut } of pairs) {
    const said = new Set(partsOf(whole))
    const added = partsOf(cut).filter((part) => !said.has(part) && !lists.test(part))
    expect(added, name).toEqual([])
  }
})
