import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from '../../config/batched.ts'

test('what one turn asks for is read with one call, each key once, and what is not found is undefined', async () => {
  const reads: string[][] = []
  const ask = batched(async (keys) => {
    reads.push(keys)
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`]))
  })
  const first = Promise.all([ask('a'), ask('b'), ask('a'), ask('none')])
  expect(reads).toEqual([])
  expect(await first).toEqual(['a!', 'b!', 'a!', undefined])
  expect(await ask('a')).toBe('a!')
  expect(reads).toEqual([['a', 'b', 'none'], ['a']])
})

test('one call reads at most 500 keys', async () => {
  const sizes: number[] = []
  const ask = batched(async (keys) => {
    sizes.push(keys.length)
    return new Map(keys.map((key) => [key, key]))
  })
  await Promise.all(Array.from({ length: 1_100 }, (_, index) => ask(String(index))))
  expect(sizes).toEqual([500, 500, 100])
})

test('a failed read fails those who asked for it, and a key that is asked for during a read is read anew', async () => {
  let reads = 0
  const ends: (() => void)[] = []
  const ask = batched(async (keys) => {
    reads++
    if (reads === 1) throw new Error('gone')
    if (reads === 2) await new Promise<void>((resolve) => ends.push(resolve))
    return new Map(keys.map((key) => [key, reads]))
  })
  expect((await Promise.allSettled([ask('a'), ask('b')])).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const slow = ask('a')
  await nextTurn()
  await nextTurn()
  expect(await ask('a')).toBe(3)
  ends[0]!()
  await slow
})
