import { describe, expect, it } from 'vitest'
import { ParseError } from '../../../config/errors.ts'
import { queuesOf } from '../../../pipeline/simulator/catalogue/index.ts'
import type { ExpectedReading } from '../../../pipeline/simulator/sites/site.ts'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { FETCHED, parseAs } from './context.ts'
import { minutesOf } from './invariants.ts'
import { pathsIn, rowListsIn, type TreePath, withValueAt } from './mutate-tree.ts'
import { JSON_CASES, PAYLOAD_CASES, READING_CASES, SIMULATED_SOURCES } from './payload-cases.ts'
import { answerWith, type Published } from './payload-of.ts'

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

const PAGES = PAYLOAD_CASES.filter(([, name]) => name.endsWith('.html'))

/** The readings of a body as JSON lines; null where the body is rejected. */
function read(source: string, body: string, iata: string | null): string[] | null {
  try {
    return parseAs(source, body, iata).readings.map((row) => JSON.stringify(row))
  } catch (error) {
    expect(error).toBeInstanceOf(ParseError)
    return null
  }
}

it.each(PAGES)(
  'a page that is cut off: %s gives no reading that the whole page does not give',
  (source, _name, iata, page) => {
    const whole = read(source, page, iata)
    expect(whole?.length).toBeGreaterThan(0)
    for (let end = 0; end < page.length; end++)
      for (const line of read(source, page.slice(0, end), iata) ?? [])
        expect(whole, `cut after ${end} characters: ${page.slice(0, end).slice(-30)}`).toContain(line)
  },
)

/** Feeds whose fixture gives no minutes: levels, an unverified unit, or a wait of two kinds at once. */
const WITHOUT_MINUTES = ['kac-congestion', 'muc-passngr', 'cle-levels', 'doh-xovis', 'icn-datagokr']

/** Waits that are in no fixture, in every form that feeds use; 599 is also tried as seconds. */
const PLANTED = [0.5, 599, '0.5', '599', '599 min', '0.5-599', '=599']
const isPlanted = (minutes: number) => [0.5, 599, 599 / 60, 0.5 / 60].includes(minutes)

/** Everyday runs try every fourth feed. */
const FEEDS = JSON_CASES.filter((_, index) => EXHAUSTIVE || index % 4 === 0)

describe.each(FEEDS)('%s reads no minutes that are not in %s', (source, _name, iata, payload) => {
  const tree: unknown = JSON.parse(payload)
  const rowsOf = (body: unknown): ParsedReading[] => parseAs(source, JSON.stringify(body), iata).readings
  const holdsWait = (path: TreePath) =>
    PLANTED.some((wait) => {
      try {
        return rowsOf(withValueAt(tree, [path], wait))
          .flatMap(minutesOf)
          .some(isPlanted)
      } catch {
        return false
      }
    })

  it('when the keys that hold a wait are removed', () => {
    const waitPaths = pathsIn(tree).filter(holdsWait)
    expect(waitPaths.length > 0).toBe(!WITHOUT_MINUTES.includes(source))
    let rows: ParsedReading[] = []
    try {
      rows = rowsOf(withValueAt(tree, waitPaths, undefined))
    } catch {
      // Without its only key a feed has another shape, which is rejected.
    }
    // "No Wait" without a number is a real zero.
    expect(rows.filter((row) => row.wait_text !== 'No Wait').flatMap(minutesOf)).toEqual([])
  })
})

describe.each(PAYLOAD_CASES.filter(([, name]) => /\.html$/.test(name)))(
  '%s reads no minutes from %s',
  (source, _name, iata, payload) => {
    it('when its texts, attributes and scripts have no digits', () => {
      const bare = payload
        .replace(/(?<=>)[^<>]+(?=<)/g, (words) => words.replace(/\d/g, ''))
        .replace(/(?<=aria-valuenow=")\d+/g, '')
      let rows: ParsedReading[] = []
      try {
        rows = parseAs(source, bare, iata).readings
      } catch {
        // A page without its numbers may have another shape, which is rejected.
      }
      const hasWaitInWords = (row: ParsedReading) => /^(no wait|less than a min)/i.test(row.wait_text ?? '')
      expect(rows.filter((row) => !hasWaitInWords(row)).flatMap(minutesOf)).toEqual([])
    })
  },
)

const STATES: Published[] = [7, 'closed', 33, 'unknown', 0, 3, 12, 22]

/** Their collectors read place and lane from the address of the request. */
const READ_FROM_ADDRESS = ['zensors-las', 'zensors-bos', 'icn-keyless']

/** A reading has the time of its answer where the answer has one. */
function basisOf(row: ParsedReading | ExpectedReading) {
  if ('observed_at_basis' in row) return row.observed_at_basis
  return row.observed_at === null ? 'fetch' : 'source'
}

const lineOf = (row: ParsedReading | ExpectedReading, closed: boolean) =>
  [
    [row.kind, row.iata, row.terminal, row.checkpoint, row.lane, row.observed_at ?? FETCHED, basisOf(row)].join(' | '),
    closed ? 'closed' : [row.wait_minutes, row.wait_minutes_low, row.wait_minutes_high].join(' '),
  ].join(' = ')

/** The readings with a wait or a closure, as lines. */
const landed = (readings: ParsedReading[]) =>
  readings
    .filter(
      (row) => row.status === 'closed' || (row.wait_minutes ?? row.wait_minutes_low ?? row.wait_minutes_high) !== null,
    )
    .map((row) => lineOf(row, row.status === 'closed'))

describe.each([
  ['no oddity', []],
  ['every oddity', ['']],
])('a collector lands what a site publishes with %s', (_, oddities) => {
  it.each(SIMULATED_SOURCES.filter((source) => !READ_FROM_ADDRESS.includes(source)))('%s', (source) => {
    for (const iata of new Set(queuesOf(source).map((queue) => queue.iata)))
      for (const shift of EXHAUSTIVE ? STATES.keys() : [0, 3]) {
        const states = queuesOf(source, iata).map((queue, index) => {
          const state = STATES[(index + shift) % STATES.length]!
          // Such a queue never closes, and its site may have no form for it.
          return state === 'closed' && queue.closes - queue.opens >= 24 ? 'unknown' : state
        })
        const { body, expected = [] } = answerWith(source, states, { iata, oddities })
        const lines = new Set(expected.map((row) => lineOf(row, row.closed)))
        expect(landed(parseAs(source, body, iata).readings).toSorted(), body).toEqual([...lines].toSorted())
      }
  })
})
