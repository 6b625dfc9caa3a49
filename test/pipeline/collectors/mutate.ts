import fc from 'fast-check'

type Step = string | number

function pathsOf(tree: unknown, path: Step[] = []): Step[][] {
  if (typeof tree !== 'object' || tree === null) return [path]
  const entries: [Step, unknown][] = Array.isArray(tree) ? [...tree.entries()] : Object.entries(tree)
  return [path, ...entries.flatMap(([step, value]) => pathsOf(value, [...path, step]))]
}

/** A copy of a tree in which the value at a path is replaced, or dropped when `value` is undefined. */
function withChange(tree: unknown, path: Step[], value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (typeof tree !== 'object' || tree === null) return tree
  const copy = (Array.isArray(tree) ? [...tree] : { ...tree }) as Record<Step, unknown>
  if (rest.length === 0 && value === undefined) delete copy[step]
  else copy[step] = withChange(copy[step], rest, value)
  return copy
}

const WRONG = [
  undefined,
  null,
  '',
  ' ',
  'wrong',
  '-1',
  '99:99',
  '0 minutes',
  0,
  -1,
  1e300,
  0.1,
  true,
  [],
  [null],
  {},
  { a: 1 },
]
const value = fc.oneof(fc.constantFrom<unknown>(...WRONG), fc.string(), fc.double(), fc.jsonValue())

/** Trees like `tree` with one to four values dropped or replaced by something wrong. */
export function damaged(tree: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({ path: fc.constantFrom(...pathsOf(tree).slice(1)), value })
  return fc
    .array(change, { minLength: 1, maxLength: 4 })
    .map((changes) => changes.reduce((each, { path, value }) => withChange(each, path, value), tree))
}

/** Texts like `text`: cut off, with a piece left out, or with something put in. */
export function damagedText(text: string): fc.Arbitrary<string> {
  const at = fc.nat(text.length)
  return fc.oneof(
    at.map((end) => text.slice(0, end)),
    fc.tuple(at, fc.nat(40)).map(([from, length]) => text.slice(0, from) + text.slice(from + length)),
    fc.tuple(at, fc.string()).map(([from, extra]) => text.slice(0, from) + extra + text.slice(from)),
  )
}
