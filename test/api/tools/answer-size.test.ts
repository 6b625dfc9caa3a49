import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineQuery } from '../../../answers/questions/define.ts'
import { toolInput, toolOutput } from '../../../api/tools/answer-size.ts'
import { defineTool } from '../../../api/tools/define.ts'
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
    rest: {
      summary: 'A shelf',
      description: 'A shelf.',
      method: 'GET',
      path: '/shelves/:shelf',
    },
    input: z.strictObject({ shelf: z.string() }),
    output,
    answer: () => shelf,
  })
  return defineTool<Shelf>({
    name: 'read_shelf',
    title: 'A shelf',
    description: 'A shelf.',
    topics: [],
    example: { shelf: 'a' },
    query,
    limits: { notes: 5, 'books.pages': 3, books: 8 },
    pages: { list: 'books', rows: 10 },
    text: ({ title, books: shown }) => `${title}: ${shown.length} books`,
  })
}

test('a short answer is complete and says that nothing is left out', () => {
  const shelf = { title: 'Small', books: books(2, 2), notes: ['one'] }
  const { text, structured } = callOf(shelfTool(shelf), { shelf: 'a' })
  expect(structured).toEqual({ ...shelf, more: null })
  expect(text).toBe('Small: 2 books')
})

test('a default answer has as much of each list as its limit, and says what is left out and how to get it', () => {
  const notes = Array.from({ length: 400 }, (_, note) => `a remark of no weight, number ${note}`)
  const { text, structured } = callOf<Shelf & { more: string }>(
    shelfTool({ title: 'All', books: books(90, 40), notes }),
    { shelf: 'a' },
  )
  expect(structured).toMatchObject({ books: books(8, 3), notes: notes.slice(0, 5) })
  expect(structured.more).toBe(
    'Notes: 5 of 400 shown; pages: up to 3 of 40 shown; books: 8 of 90 shown; call again with detail: "full" for all; over REST: https://holdshort.example/api/v1/shelves/a.',
  )
  expect(text).toBe(`All: 8 books\nMore: ${structured.more}`)
})

test('a full answer has every row in pages, each within its limit, and names the next page', () => {
  const tool = shelfTool({ title: 'All', books: books(25, 4), notes: [] })
  const pages = [1, 2, 3].map((page) => callOf<Shelf & { more: string }>(tool, { shelf: 'a', detail: 'full', page }))
  expect(pages.flatMap(({ structured }) => structured.books)).toEqual(books(25, 4))
  expect(pages[0]!.structured.more).toContain('Books 1 to 10 of 25 (page 1 of 3); next: page: 2')
  expect(pages[2]!.structured.more).not.toContain('next')
  expect(() => callOf(tool, { shelf: 'a', detail: 'full', page: 4 })).toThrow(/page: must be at most 3/)
})

test('a page that is asked for is one of the full answer, never the default answer again', () => {
  const tool = shelfTool({ title: 'All', books: books(25, 4), notes: [] })
  const second = callOf<Shelf>(tool, { shelf: 'a', page: 2 })
  expect(second.structured.books).toEqual(books(25, 4).slice(10, 20))
  expect(() => callOf(tool, { shelf: 'a', page: 4 })).toThrow(/page: must be at most 3, the last page/)
  expect(() => callOf(tool, { shelf: 'a', detail: 'brief', page: 2 })).toThrow(/page: needs detail: "full"/)
})

test('a wrong view names its argument; `page` belongs to tools with pages only', () => {
  const tool = shelfTool({ title: 'All', books: [], notes: [] })
  expect(() => callOf(tool, { shelf: 'a', detail: 'everything' })).toThrow(/detail: must be one of brief, full/)
  expect(() => callOf(tool, { shelf: 'a', page: 0 })).toThrow(/page: must be a whole number, at least 1/)
  const { pages: _pages, ...unpaged } = tool
  expect(() => callOf(unpaged, { shelf: 'a', page: 2 })).toThrow(/page: is not a known parameter/)
  expect(Object.keys(toolInput(tool).shape)).toEqual(['shelf', 'detail', 'page'])
  expect(Object.keys(toolOutput(tool).shape)).toEqual(['title', 'books', 'notes', 'more'])
})
