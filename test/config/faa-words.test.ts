import { expect, it } from 'vitest'
import { reasonWords } from '../../config/reference/faa-words.ts'
import { reasonCategory } from '../../pipeline/collectors/faa/reason.ts'
import { hasSamples, sample } from '../pipeline/collectors/faa-and-weather.ts'

// Single reasons and closures stand in test/pipeline/collectors/values/faa.json.
it.skipIf(!hasSamples)('every reason of the public collections has plain words and a category', () => {
  const reasons = sample('faa-nasstatus', 'reason-vocabulary.txt').split('\n').filter(Boolean)
  expect(reasons.length).toBeGreaterThan(80)
  expect(reasons.filter((reason) => /[“:/]|\b[A-Z]{4,}\b/.test(reasonWords(reason)))).toEqual([])
  expect(reasons.filter((reason) => reasonCategory(reason) === null)).toEqual([])
})
