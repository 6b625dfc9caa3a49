import { encode } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineQuery } from '../../../../api/data/queries/define.ts'
import { toolInput, toolOutput } from '../../../../api/data/tools/answer-size.ts'
import { defineTool, READ_ONLY } from '../../../../api/data/tools/define.ts'
import { estimateTokens } from '../../../../api/data/tools/token-estimate.ts'
import { callOf } from './run-tool.ts'

interface Shelf {
  title: string
  books: { name: string; pages: string[] }[]
  notes: string[]
}

const output = z.strictObject({
  title: z.string(),
  books: z.array(z.strictObject({ name: z.string(), pages: z.array(z.string()) })),
  notes: z.array(z.string()),
})

const books = (count: number, pages: number) =>
  Array.from({ length: count }, (_, index) => ({
    name: `Book number ${index}`,
    pages: Array.from({ length: pages }, (_, page) => `a line of words on page ${page}`),
  }))

function shelfTool(shelf: Shelf) {
  const query = defineQuery({
    name: 'readShelf',
    summary: 'A shelf',
    description: 'A shelf.',
    tier: 'free',
    rest: { method: 'GET', path: '/shelves/:shelf' },
    input: z.strictObject({ shelf: z.string() }),
    output,
    answer: () => shelf,
  })
  return defineTool<Shelf>({
    name: 'read_shelf',
    title: 'A shelf',
    description: 'A shelf.',
    annotations: READ_ONLY,
    example: { shelf: 'a' },
    query,
    shorten: ['notes', 'books.pages', 'books'],
    pages: { list: 'books', rows: 10 },
    text: ({ title, books: shown }) => `${title}: ${shown.length} books`,
  })
}

const tokensOf = (answer: object) => encode(JSON.stringify(answer)).length

test('a short answer is complete and says that nothing is left out', () => {
  const shelf = { title: 'Small', books: books(2, 2), notes: ['one'] }
  const { text, structured } = callOf(shelfTool(shelf), { shelf: 'a' })
  expect(structured).toEqual({ ...shelf, more: null })
  expect(text).toBe('Small: 2 books')
})

test('a long answer loses the least important lists first and says what is left out and how to get it', () => {
  const notes = Array.from({ length: 400 }, (_, note) => `a remark of no weight, number ${note}`)
  const few = callOf<Shelf & { more: string }>(shelfTool({ title: 'Notes', books: books(3, 3), notes }), { shelf: 'a' })
  expect(few.structured.books).toEqual(books(3, 3))
  expect(few.structured.notes.length).toBeGreaterThan(20)
  expect(few.structured.more).toContain(`Notes: ${few.structured.notes.length} of 400 shown`)
  expect(few.structured.more).toContain('detail: "full"')
  expect(few.structured.more).toContain('https://holdshort.example/api/v1/shelves/a')
  expect(few.text).toContain(`More: ${few.structured.more}`)
  const large = callOf<Shelf & { more: string }>(shelfTool({ title: 'All', books: books(90, 40), notes }), {
    shelf: 'a',
  })
  expect(large.structured.notes).toEqual([])
  expect(large.structured.more).toMatch(/Books pages: at most 0 of 40|books pages: at most/i)
  expect(large.text).toContain(`All: ${large.structured.books.length} books`)
  for (const answer of [few, large]) expect(tokensOf(answer)).toBeLessThan(1_500)
})

test('a full answer has every row in pages, each within its limit, and names the next page', () => {
  const tool = shelfTool({ title: 'All', books: books(25, 4), notes: [] })
  const pages = [1, 2, 3].map((page) => callOf<Shelf & { more: string }>(tool, { shelf: 'a', detail: 'full', page }))
  expect(pages.flatMap(({ structured }) => structured.books)).toEqual(books(25, 4))
  expect(pages[0]!.structured.more).toContain('Books 1 to 10 of 25 (page 1 of 3); next: page: 2')
  expect(pages[2]!.structured.more).not.toContain('next')
  for (const page of pages) expect(tokensOf(page)).toBeLessThan(12_000)
  expect(() => callOf(tool, { shelf: 'a', detail: 'full', page: 4 })).toThrow(/page: must be at most 3/)
})

test('a wrong view names its argument; `page` belongs to tools with pages only', () => {
  const tool = shelfTool({ title: 'All', books: [], notes: [] })
  expect(() => callOf(tool, { shelf: 'a', detail: 'everything' })).toThrow(/detail: must be one of brief, full/)
  expect(() => callOf(tool, { shelf: 'a', page: 0 })).toThrow(/page: must be 1 or more/)
  const { pages: _pages, ...unpaged } = tool
  expect(() => callOf(unpaged, { shelf: 'a', page: 2 })).toThrow(/page: is not a known parameter/)
  expect(Object.keys(toolInput(tool).shape)).toEqual(['shelf', 'detail', 'page', 'fields'])
  expect(Object.keys(toolOutput(tool).shape)).toEqual(['title', 'books', 'notes', 'more'])
})

test('the estimate of tokens is never below the count of a tokenizer for text like ours', () => {
  const samples = [
    'KJFK 211351Z 31018G27KT 10SM FEW050 06/M03 A3002 RMK AO2 SLP168 T00611033',
    JSON.stringify({ observed_at: '2026-11-21T14:18:00Z', average_wait_minutes: 14, source: 'panynj', low: null }),
    'Security at JFK: about 14 minutes (measured, 2 min ago, source panynj). Leave by 09:40 local time (UTC-5).',
    '東京国際空港、羽田。成田',
    'München, Zürich, Łódź, Ağrı, São Paulo',
    'مطار الملك خالد',
  ]
  for (const text of samples) {
    const counted = encode(text).length
    expect(estimateTokens(text), text).toBeGreaterThanOrEqual(counted)
  }
})

test('`fields` gives the named fields alone, through lists, and names those that exist for a wrong one', () => {
  const tool = shelfTool({ title: 'All', books: books(25, 4), notes: ['one'] })
  const named = callOf(tool, { shelf: 'a', fields: ['books.name'] })
  expect(named.structured).toEqual({ books: books(25, 4).map(({ name }) => ({ name })), more: null })
  expect(named.text).toBe('All: 25 books')
  expect(callOf(tool, { shelf: 'a', fields: ['title', 'notes'] }).structured).toEqual({
    title: 'All',
    notes: ['one'],
    more: null,
  })
  const page = callOf<Shelf & { more: string }>(tool, { shelf: 'a', detail: 'full', page: 3, fields: ['books.name'] })
  expect(page.structured.books).toEqual(
    books(25, 4)
      .slice(20)
      .map(({ name }) => ({ name })),
  )
  expect(page.structured.more).toContain('Books 21 to 25 of 25')
  const cut = callOf<Shelf & { more: string }>(shelfTool({ title: 'All', books: books(90, 40), notes: [] }), {
    shelf: 'a',
    fields: ['books'],
  })
  expect(cut.structured.more).toMatch(/^Books/)
  expect(tokensOf(cut)).toBeLessThan(1_500)
  for (const wrong of ['books.author', 'x', 'books.', 'title.x', '__proto__'])
    expect(() => callOf(tool, { shelf: 'a', fields: [wrong] }), wrong).toThrow(
      /fields: ".*" is no field of this answer; it has title, books, notes/,
    )
  expect(() => callOf(tool, { shelf: 'a', fields: [] })).toThrow(/fields: /)
  expect(() => callOf(tool, { shelf: 'a', fields: 'title' })).toThrow(/fields: must be a list/)
})
