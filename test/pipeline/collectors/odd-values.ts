import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'

/** Random choices that a seed determines. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  integerBelow: (end: number) => number
  pick: <T>(list: readonly T[]) => T | undefined
}

/** A random generator by seed (mulberry32): one seed always gives the same choices. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return { integerBelow: below, pick: (list) => list[below(list.length)] }
}

/** Texts that sources published in place of a number or a word, and worse. */
export const ODD_TEXTS: string[] = JSON.parse(
  readFileSync(projectFile('test/pipeline/collectors/values/odd-texts.json'), 'utf8'),
)

export const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  0,
  -0,
  -1,
  -5,
  0.1,
  7,
  61,
  601,
  36_001,
  424_242,
  Number.MAX_SAFE_INTEGER,
  1e300,
  -1e308,
  1_795_255_500,
  1_795_258_980,
  1_795_258_980_000,
  ...ODD_TEXTS,
]
