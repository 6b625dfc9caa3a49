import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinedParts } from '../../../api/site/pages/browser/parquet-parts.ts'

const SIZE = 500_000
const GAP = 65_536
const CONTENT = Uint8Array.from({ length: SIZE }, (_, position) => (position * 31 + (position >> 8)) % 251)
const bytesOf = (start: number, end: number) => CONTENT.slice(start, end)

const part = fc
  .tuple(fc.nat(SIZE - 2), fc.integer({ min: 1, max: 4_000 }))
  .map(([start, length]) => ({ start, end: Math.min(SIZE, start + length) }))

test('parts that are asked for together come as they are, in one request for those that lie close together', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), async (parts) => {
      const requests: { start: number; end: number }[] = []
      const file = joinedParts(SIZE, async (start, end) => {
        requests.push({ start, end })
        return bytesOf(start, end).buffer
      })
      const read = await Promise.all(parts.map(({ start, end }) => file.slice(start, end)))
      for (const [k, { start, end }] of parts.entries())
        expect(Buffer.from(read[k]!).equals(bytesOf(start, end))).toBe(true)

      const covered = requests.toSorted((a, b) => a.start - b.start)
      for (const [k, { start }] of covered.entries())
        if (k > 0) expect(start - covered[k - 1]!.end).toBeGreaterThan(GAP)
      // Nothing is fetched that lies farther than that from every part.
      for (const { start, end } of requests) {
        const inside = parts.filter((each) => each.start >= start && each.end <= end).sort((a, b) => a.start - b.start)
        let reached = start
        for (const each of inside) {
          expect(each.start - reached).toBeLessThanOrEqual(GAP)
          reached = Math.max(reached, each.end)
        }
        expect(reached).toBe(end)
      }
    }),
    { numRuns: 30 },
  )
})

test('a request that fails is the error of every part that it was for', async () => {
  const file = joinedParts(SIZE, (start) =>
    start < 1_000 ? Promise.reject(new Error('412')) : Promise.resolve(bytesOf(start, SIZE).buffer),
  )
  const [near, beside, far] = await Promise.allSettled([file.slice(0, 10), file.slice(20, 30), file.slice(400_000)])
  expect([near, beside]).toMatchObject([{ reason: { message: '412' } }, { reason: { message: '412' } }])
  expect(far.status).toBe('fulfilled')
})
