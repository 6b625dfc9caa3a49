import { readFileSync } from 'node:fs'
import { projectFile } from '../../../config/paths.ts'
import { seededRandom } from '../../../forecasting/statistics/statistics.ts'

/** Random choices that a seed determines. */
export interface Random {
  /** A whole number from 0 to below `end`. */
  integerBelow: (end: number) => number
  pick: <T>(list: readonly T[]) => T | undefined
}

export function randomFrom(seed: number): Random {
  const random = seededRandom(seed)
  const below = (end: number) => Math.floor(random() * end)
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
