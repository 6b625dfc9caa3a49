import { describe, expect, it } from 'vitest'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { fixture, parseAs } from './context.ts'
import { minutesOf } from './invariants.ts'
import { type Way, waysIn, withAt } from './mutate-tree.ts'
import { CASES } from './payload-cases.ts'

/** Feeds whose fixture gives no minutes: levels, an unverified unit, or a wait of two kinds at once. */
const WITHOUT_MINUTES = ['muc-passngr', 'cle-levels', 'doh-xovis', 'icn-datagokr']

/** Waits that no fixture holds, in every form that feeds use; 599 is also tried as seconds. */
const PLANTED = [0.5, 599, '0.5', '599', '599 min', '0.5-599', '=599']
const isPlanted = (minutes: number) => [0.5, 599, 599 / 60, 0.5 / 60].includes(minutes)

const JSON_CASES = CASES.filter(
  ([source, name]) => name.endsWith('.json') && !/^(faa-|awc-|openstreetmap)/.test(source),
)

describe.each(JSON_CASES)('%s reads no minutes that are not in %s', (source, name, iata) => {
  const tree: unknown = JSON.parse(fixture(name))
  const rowsOf = (body: unknown): ParsedReading[] => parseAs(source, JSON.stringify(body), iata).readings
  const carries = (way: Way) =>
    PLANTED.some((wait) => {
      try {
        return rowsOf(withAt(tree, [way], wait))
          .flatMap(minutesOf)
          .some(isPlanted)
      } catch {
        return false
      }
    })

  it('when the keys that hold a wait are removed', () => {
    const carriers = waysIn(tree).filter(carries)
    expect(carriers.length > 0).toBe(!WITHOUT_MINUTES.includes(source))
    let rows: ParsedReading[] = []
    try {
      rows = rowsOf(withAt(tree, carriers, undefined))
    } catch {
      // A feed whose only key is gone has changed its shape.
    }
    // "No Wait" beside no number is a zero of its own.
    expect(rows.filter((row) => row.wait_text !== 'No Wait').flatMap(minutesOf)).toEqual([])
  })
})

describe.each(CASES.filter(([, name]) => /\.html$/.test(name)))('%s reads no minutes from %s', (source, name, iata) => {
  it('when its texts, attributes and scripts have no digits', () => {
    const bare = fixture(name)
      .replace(/(?<=>)[^<>]+(?=<)/g, (words) => words.replace(/\d/g, ''))
      .replace(/(?<=aria-valuenow=")\d+/g, '')
    let rows: ParsedReading[] = []
    try {
      rows = parseAs(source, bare, iata).readings
    } catch {
      // A page without its numbers may be none that we know.
    }
    const said = (row: ParsedReading) => /^(no wait|less than a min)/i.test(row.wait_text ?? '')
    expect(rows.filter((row) => !said(row)).flatMap(minutesOf)).toEqual([])
  })
})
