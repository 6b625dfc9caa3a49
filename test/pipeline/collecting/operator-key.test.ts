import { expect, it } from 'vitest'
import { sourceById } from '../../../config/sources.ts'
import { type CollectContext, emptyMemory } from '../../../pipeline/collecting/collect-context.ts'
import { collectSource } from '../../../pipeline/collecting/collect-source.ts'
import type { SourceRequest } from '../../../pipeline/parsing/collector.ts'
import { createCircuits } from '../../../pipeline/transport/circuits.ts'

/** Collects from `swedavia-keyed` through a transport that only records the requests. */
async function requestsWith(operator_keys: CollectContext['operator_keys']): Promise<SourceRequest[]> {
  const requests: SourceRequest[] = []
  const never = () => Promise.reject(new Error('not needed here'))
  await collectSource(sourceById('swedavia-keyed'), {
    warehouse: {} as CollectContext['warehouse'],
    landing: { land: () => Promise.resolve(0) } as unknown as CollectContext['landing'],
    transport: {
      fetch: (request) => {
        requests.push(request)
        return Promise.reject(new Error('offline'))
      },
      openPage: never,
      circuits: createCircuits({ failures: 5, rest_ms: 300_000, now: () => 0 }),
      learn: never,
    },
    now: () => 1_795_255_200_000,
    memory: emptyMemory(),
    ...(operator_keys && { operator_keys }),
  })
  return requests
}

it("sends the operator's own key in a header, and never in an address, which captures store", async () => {
  const requests = await requestsWith({ swedavia_key: 'made-up-key' })
  expect(requests.map(({ iata }) => iata)).toEqual(['ARN', 'GOT', 'BMA'])
  for (const { headers, url } of requests) {
    expect(headers['Ocp-Apim-Subscription-Key']).toBe('made-up-key')
    expect(url).not.toContain('made-up-key')
  }
  for (const { headers } of await requestsWith(undefined)) expect(Object.keys(headers)).toEqual(['Accept'])
})
