import { expect, test } from 'vitest'
import { htmlBody } from '../../../pipeline/parsing/body.ts'

test.each(['div', 'b', 'ul', 'blockquote', 'x-y'])(
  'a page of <%s> within <%s> without end is refused, not read for minutes',
  (tag) => {
    const page = `<html><body>${`<${tag}>`.repeat(60_000)}</body></html>`
    expect(() => htmlBody(page)).toThrow(/nests over 2000 elements deep/)
  },
)

test('a long table whose cells and rows have no end tags is no deep page', () => {
  const rows = '<tr><td>Main<td>12 min'.repeat(5_000)
  expect(htmlBody(`<html><body><table>${rows}</table><p>${'<br>'.repeat(5_000)}</body></html>`)('tr')).toHaveLength(
    5_000,
  )
})
