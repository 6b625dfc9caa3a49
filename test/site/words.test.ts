import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../config/errors.ts'
import { allSources } from '../../config/sources.ts'
import { createSignedInPerson } from '../accounts/people/signed-in-person.ts'
import { NOW, snapshotAt } from '../api/example-snapshot.ts'
import { openHarness } from '../api/harness.ts'
import { EIGHT_AIRPORTS, WHOLE_DIRECTORY } from './eight-airports.ts'
import { PAGES, SIGNED_IN_PAGES, WALLS } from './every-page.ts'

/** Words of the code, the tables and the feeds that a reader of pages never meets. */
const HOUSE_WORDS = /\b(typical\w*|bas[ie]s|backtest\w*|vintages?|skills?|programs?)\b|prior:/gi
const ISO_DATES = /\b\d{4}-\d\d-\d\d/g
/** A hyphen in place of the minus, and numbers of four digits and more without separators that are no year. */
const BARE_NUMBERS = /(?<=[\s(>])-\d+|(?<![\d.,])(?!(?:19|20)\d\d[a-z]?\b)\d{4,}(?![\d.])/g
const SOURCE_IDS = allSources()
  .map(({ id }) => id)
  .filter((id) => id.includes('-'))
const CODES = new RegExp(`(?<![\\w-])(${[...Object.keys(ERROR_CODES), ...SOURCE_IDS].join('|')})(?![\\w-])`, 'g')

/** The reference of the API is about fields, so their own words stand there. */
const isReference = ([name]: [name: string, path: string]) => name.startsWith('docs-')

const FAULTS = [HOUSE_WORDS, ISO_DATES, BARE_NUMBERS, CODES]

/** What a reader sees or hears of a page: its texts and the names of its pictures and fields, without code and addresses. */
function textOf(page: string): string {
  // The dictionary of tables has the words of its columns.
  const html = page.replace(/<details id="[a-z_]+"><summary><strong>.*?<\/details>/gs, ' ')
  const named = html.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)
  const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1] ?? ''
  const seen = html
    .replace(/<(script|style|pre|code|textarea)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/https?:\/\/\S+|\S+@\S+/g, ' ')
  return [seen, description, ...Array.from(named, ([, text]) => text)].join('\n')
}

const faultsOf = (name: string, html: string) =>
  FAULTS.flatMap((fault) =>
    Array.from(textOf(html).matchAll(fault), ({ 0: word, index, input }) => {
      const around = input.slice(Math.max(0, index - 40), index + 40).replace(/\s+/g, ' ')
      return `${name}: ${word} in “${around}”`
    }),
  )

test('no page has a word of the house, an id, a date of machines or a bare number', async () => {
  const harness = await openHarness({}, { directory: WHOLE_DIRECTORY })
  harness.controls.snapshot = snapshotAt(NOW, EIGHT_AIRPORTS)
  const faults: string[] = []
  for (const [name, path] of [...PAGES, ...WALLS].filter((page) => !isReference(page))) {
    const { body } = await harness.app.inject({ url: path, headers: { accept: 'text/html' } })
    faults.push(...faultsOf(name, body))
  }
  const person = await createSignedInPerson(harness, { tier: 'enterprise' })
  for (const [name, path] of SIGNED_IN_PAGES) faults.push(...faultsOf(name, (await person.get(path)).body))
  expect(faults).toEqual([])
}, 60_000)

test('the check finds each kind of fault', () => {
  const html = '<p>A typical skill of -61 % over 12345 hours since 2026-11-21 by faa-nas-status: AIRPORT_NOT_FOUND</p>'
  expect(faultsOf('a page', html)).toHaveLength(7)
  expect(faultsOf('a page', '<p>−61 % over 12,345 hours in 2026 <code>basis</code></p>')).toEqual([])
})
