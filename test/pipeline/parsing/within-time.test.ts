import { expect, test } from 'vitest'
import { collectorById } from '../../../pipeline/collectors/index.ts'
import { parseBody, withinTime } from '../../../pipeline/parsing/parse-body.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { contextFor } from '../collectors/context.ts'

const tooLong = () => new Error('too long')

test('returns what the work returns, throws what it throws, also for work within work', () => {
  expect(withinTime(1_000, () => withinTime(1_000, () => 1, tooLong) + 1, tooLong)).toBe(2)
  const fault = new RangeError('of the work')
  expect(() =>
    withinTime(
      1_000,
      () => {
        throw fault
      },
      tooLong,
    ),
  ).toThrow(fault)
})

test.each([
  [
    'a loop',
    () => {
      for (;;);
    },
  ],
  ['a regular expression that tries every way', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)],
])('ends %s that takes longer than the limit', (_, work) => {
  expect(() => withinTime<unknown>(30, work, tooLong)).toThrow('too long')
  expect(withinTime(1_000, () => 'next', tooLong)).toBe('next')
})

/** Bodies of the size that a transport accepts, which would take a parser minutes. */
const many = (make: (index: number) => string) => Array.from({ length: 300_000 }, (_, index) => make(index)).join('')
const HOSTILE: [source: string, body: () => string][] = [
  [
    'faa-nas-status',
    () => `<AIRPORT_STATUS_INFORMATION ${many((index) => `a${index}="1" `)}></AIRPORT_STATUS_INFORMATION>`,
  ],
  ['faa-nas-status', () => many(() => '<a>') + many(() => '</a>')],
  ['stl-html', () => `<html><body><div ${many((index) => `a${index}=1 `)}></div></body></html>`],
]

test.runIf(EXHAUSTIVE)('a body that would take minutes is a coded error after seconds', () => {
  for (const [id, body] of HOSTILE) {
    const context = contextFor(id, 'JFK')
    const collector = collectorById(context.source.collector)
    const start = performance.now()
    expect(() => parseBody(collector, new TextEncoder().encode(body()), context)).toThrow(
      expect.objectContaining({ code: 'PARSE_FAILED' }),
    )
    expect(performance.now() - start).toBeLessThan(10_000)
  }
})
