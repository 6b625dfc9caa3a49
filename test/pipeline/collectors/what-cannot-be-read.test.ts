import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { parseAs } from './context.ts'
import { minutesOf } from './invariants.ts'
import { pathsIn, rowListsIn, type TreePath, withValueAt } from './mutate-tree.ts'
import { JSON_CASES, READING_CASES } from './payload-cases.ts'

/** Values that are no wait, with the codes that name them. A feed of texts reads "-60" as unknown words. */
const NO_WAITS: [value: unknown, codes: RegExp][] = [
  ['soon', /^(value_not_a_number|wait_text_unknown)$/],
  [-60, /^(wait_out_of_range|sentinel_value|wait_text_unknown)$/],
  [10_000_000, /^(wait_out_of_range|sentinel_value)$/],
]

/** Feeds whose lists are not rows of queues: one answer of a batch, one text, hours of an estimate, gates of another kind. */
const WITHOUT_ROWS = ['zensors-las', 'zensors-bos', 'cle-levels', 'slc-official', 'del-dial']

const OTHER_SHAPES = ['', '<!doctype html><title>Just a moment...</title>', 'null', '"text"', '{"message":', '7', '[7']
/** An object of any keys is an answer of these: one without a queue that is known, or of another airport. */
const ANY_OBJECT = ['ams-schiphol', 'icn-keyless', 'slc-official']

describe.each(JSON_CASES)('%s, %s', (source, _name, iata, payload) => {
  const tree: unknown = JSON.parse(payload)
  const whole = parseAs(source, payload, iata)
  const parseWith = (path: TreePath, value: unknown) => {
    const body = path.length === 0 ? value : withValueAt(tree, [path], value)
    return parseAs(source, JSON.stringify(body), iata)
  }
  /** The same; null where the answer then has another shape. */
  const parsedWith = (path: TreePath, value: unknown) => {
    try {
      return parseWith(path, value)
    } catch {
      return null
    }
  }
  const holdsWait = (path: TreePath) =>
    parsedWith(path, 0.5)?.readings.some((row) => minutesOf(row).some((wait) => wait === 0.5 || wait === 0.5 / 60))

  it('a wait that cannot be read is named, and its row stays', () => {
    for (const path of pathsIn(tree).filter(holdsWait))
      for (const [value, codes] of NO_WAITS) {
        const { readings, notices } = parseWith(path, value)
        expect(notices, `${path.join('.')} = ${value}`).toContainEqual(
          expect.objectContaining({ code: expect.stringMatching(codes) }),
        )
        expect(readings.length, path.join('.')).toBeGreaterThanOrEqual(whole.readings.length)
      }
  })

  it('a time that cannot be read is named', () => {
    const withBasis = (basis: string, rows: ParsedReading[]) =>
      rows.filter((row) => row.observed_at_basis === basis).length
    const losesTime = (path: TreePath) => {
      const rows = parsedWith(path, 'now')?.readings ?? []
      const timed = withBasis('source', rows) - withBasis('source', whole.readings)
      return timed < 0 && withBasis('fetch', rows) > withBasis('fetch', whole.readings)
    }
    for (const path of pathsIn(tree).filter(losesTime))
      expect(
        parseWith(path, 'now').notices.map(({ code }) => code),
        path.join('.'),
      ).toContain('time_unreadable')
  })

  it('a row that cannot be read is named, and the others are read', () => {
    const lines = (rows: ParsedReading[]) => rows.map((row) => JSON.stringify(row))
    for (const { path, keys } of WITHOUT_ROWS.includes(source) ? [] : rowListsIn(tree)) {
      for (const key of keys) {
        const { readings, notices } = parseWith([...path, key], 7)
        expect(notices, key).toContainEqual(expect.objectContaining({ code: 'row_unreadable' }))
        // Helsinki lists one queue at several instants.
        if (source !== 'hel-finavia')
          expect(lines(whole.readings), key).toEqual(expect.arrayContaining(lines(readings)))
      }
      expect(parseWith(path, []), 'without rows').toEqual({ readings: [], notices: [] })
    }
  })
})

it.each(READING_CASES)('an answer of another shape is rejected by %s', (source, _name, iata) => {
  const others = ANY_OBJECT.includes(source) ? [] : ['{"success":true,"msg":"Missing Backfil URL"}']
  for (const body of [...OTHER_SHAPES, ...others]) expect(() => parseAs(source, body, iata), body).toThrow(ParseError)
})
