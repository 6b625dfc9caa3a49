import { expect, test } from 'vitest'
import { coalescedReads } from '../../../api/state/postgresql.ts'

/** Reads that the test completes; each returns its number. */
function readsByHand() {
  const ends: (() => void)[] = []
  const ask = coalescedReads(
    () =>
      new Promise<number>((resolve) => {
        const number = ends.length + 1
        ends.push(() => resolve(number))
      }),
  )
  return { ask, ends }
}

test('a call during a read gets the next read, which all waiting calls share, and only one read runs at a time', async () => {
  const { ask, ends } = readsByHand()
  const first = ask()
  const second = ask()
  const third = ask()
  expect(ends).toHaveLength(1)
  ends[0]!()
  expect(await first).toBe(1)
  const fourth = ask()
  await Promise.resolve()
  expect(ends).toHaveLength(2)
  ends[1]!()
  expect(await Promise.all([second, third, fourth])).toEqual([2, 2, 2])
  const fifth = ask()
  ends[2]!()
  expect(await fifth).toBe(3)
})

test('a failed read fails only its own callers, and the next call reads again', async () => {
  let reads = 0
  const ask = coalescedReads(async () => {
    reads++
    if (reads === 1) throw new Error('gone')
    return reads
  })
  const first = ask()
  const second = ask()
  await expect(first).rejects.toThrow('gone')
  expect([await second, await ask()]).toEqual([2, 3])
})
