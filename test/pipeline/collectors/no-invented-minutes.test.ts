import { describe, expect, it } from 'vitest'
import type { ParsedReading } from '../../../warehouse/tables/readings.ts'
import { EXHAUSTIVE } from '../../exhaustive.ts'
import { parseAs } from './context.ts'
import { minutesOf } from './invariants.ts'
import { pathsIn, type TreePath, withValueAt } from './mutate-tree.ts'
import { JSON_CASES, PAYLOAD_CASES } from './payload-cases.ts'

/** Feeds whose fixture gives no minutes: levels, an unverified unit, or a wait of two kinds at once. */
const WITHOUT_MINUTES = ['muc-passngr', 'cle-levels', 'doh-xovis', 'icn-datagokr']

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
