import { encode } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { TOOLS } from '../../../../api/registry.ts'
import { airportDirectory } from '../../../../config/airports/directory.ts'
import { EXHAUSTIVE, repetitions } from '../../../exhaustive.ts'
import { LIVE_WAIT, liveAnswer } from '../../../jobs/calls/live-answer.ts'
import { NOW, snapshotAt } from '../../example-snapshot.ts'
import { openHarness } from '../../harness.ts'
import { legacy, messagesOf, post } from '../mcp/requests.ts'
import { AIRPORTS, ARGUMENTS, EVERYDAY, large, SITUATIONS } from './situations.ts'

/** Every default answer of every tool in every situation stays under the limit, as an agent's tokenizer counts it. */
const MAX_TOKENS = 1_500
const MAX_FULL_TOKENS = 12_500

test('every default answer is under 1,500 tokens and every full one under 12,500, in every situation', async () => {
  const harness = await openHarness({}, { directory: airportDirectory() })
  const { call, controls } = harness
  controls.answerLive = async () => liveAnswer({ wait: large(), last_known: Object.assign({ ...LIVE_WAIT }, large()) })
  const sizes: [tokens: number, name: string][] = []
  const readOnly = TOOLS.filter(({ annotations }) => annotations.readOnlyHint)
  const situations = Object.entries(SITUATIONS).filter(([name]) => EXHAUSTIVE || name === EVERYDAY)
  let answered = 0
  for (const [situation, content] of situations) {
    controls.snapshot = snapshotAt(NOW, content)
    for (const { name, example, query, pages, brief } of readOnly) {
      const ofAirports =
        'iata' in query.input.shape ? AIRPORTS.map((iata) => Object.assign({ ...example }, { iata })) : []
      const all: object[] = [
        example,
        ...(ARGUMENTS[name] ?? []).slice(0, repetitions(1, 9)),
        ...ofAirports.slice(0, repetitions(0, 4)),
      ]
      if (pages || (EXHAUSTIVE && brief)) all.push(Object.assign({ ...example }, { detail: 'full' }))
      for (const input of all) {
        // Another minute, so that the limit per minute of the key never refuses.
        controls.now += 1
        const answer = await call('enterprise', '/mcp', post(legacy('tools/call', { name, arguments: input })))
        const result = messagesOf(answer.body)[0]!.result as unknown as {
          isError?: boolean
          content: { text: string }[]
          structuredContent: object
        }
        if (result.isError) continue
        answered += 1
        const { content: texts, structuredContent } = result
        const tokens = encode(JSON.stringify({ content: texts, structuredContent })).length
        const limit = 'detail' in input ? MAX_FULL_TOKENS : MAX_TOKENS
        if (tokens >= limit) sizes.push([tokens, `${situation}: ${name} ${JSON.stringify(input)}`])
      }
    }
  }
  expect(sizes).toEqual([])
  expect(answered).toBeGreaterThan(repetitions(30, 250))
}, 60_000)
