import { describe, expect, it } from 'vitest'
import { parseHtml, textPieces } from '../../../pipeline/parsing/html.ts'

describe('parseHtml', () => {
  it.each(['div', 'b', 'ul', 'blockquote', 'x-y'])('refuses a page of endlessly nested <%s> at once', (tag) => {
    const page = `<html><body>${`<${tag}>`.repeat(60_000)}</body></html>`
    expect(() => parseHtml(page)).toThrow(/nests over 2000 elements deep/)
  })

  it('accepts a long table whose cells and rows have no end tags', () => {
    const rows = '<tr><td>Main<td>12 min'.repeat(5_000)
    expect(parseHtml(`<html><body><table>${rows}</table><p>${'<br>'.repeat(5_000)}</body></html>`)('tr')).toHaveLength(
      5_000,
    )
  })
})

describe('textPieces', () => {
  it('returns each piece of text once, in reading order, with the tag that holds it', () => {
    const page =
      '<body><h3>Wait <b>times</b> now</h3><script>9 min</script><style>p{}</style><!-- 8 min --><p> 7\n min </p></body>'
    expect(textPieces(page)).toEqual([
      { text: 'Wait', tag: 'h3' },
      { text: 'times', tag: 'b' },
      { text: 'now', tag: 'h3' },
      { text: '7 min', tag: 'p' },
    ])
  })

  it('reads a page of the greatest depth that is accepted', () => {
    const depth = 2_000
    expect(textPieces(`${'<i>'.repeat(depth)}7 min${'</i>'.repeat(depth)}`).at(-1)?.text).toBe('7 min')
  })
})
