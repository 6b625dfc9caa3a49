import { type CheerioAPI, load } from 'cheerio'
import { ParseError } from '../../config/errors.ts'
import { textOf } from './json.ts'

/**
 * Parses an HTML body.
 * @throws ParseError also for a document that breaks off: "12 min" cut to "1" would be read as a wait
 */
export function parseHtml(body: string): CheerioAPI {
  if (!/<[a-z!]/i.test(body)) throw new ParseError('html', `is not HTML; it begins "${body.slice(0, 60)}"`)
  if (/<html\b/i.test(body) && !/<\/html\b/i.test(body))
    throw new ParseError('html', `breaks off; it ends "${body.trimEnd().slice(-60)}"`)
  const fault = structureFault(body)
  if (fault !== null) throw new ParseError('html', fault)
  return load(body)
}

/** No author nests a page this deep, and the time to parse grows with the square of the depth: 10 s at 20,000. */
const MAX_DEPTH = 2_000
/** Elements without an end tag, or whose end tag may be left out: their tags do not show the depth. */
const WITHOUT_END_TAG = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|li|dt|dd|p|td|th|tr|option)$/i

/** The largest pages of the sources have some ten thousand; a million take two gigabytes of memory. */
const MAX_ELEMENTS = 100_000

/** Why a page has more elements, or nests them deeper, than any author does; null when it does not. */
function structureFault(body: string): string | null {
  const open = new Map<string, number>()
  let depth = 0
  let elements = 0
  for (const [, end, tag = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9-]*)/gi)) {
    const name = tag.toLowerCase()
    if (!end) elements += 1
    if (elements > MAX_ELEMENTS) return `has over ${MAX_ELEMENTS} elements`
    if (WITHOUT_END_TAG.test(name)) continue
    const nameDepth = open.get(name) ?? 0
    // An end tag of an element that is not open ends nothing.
    if (end && nameDepth === 0) continue
    open.set(name, nameDepth + (end ? -1 : 1))
    depth += end ? -1 : 1
    if (depth > MAX_DEPTH) return `nests over ${MAX_DEPTH} elements deep`
  }
  return null
}

/** One or more elements of a page. */
export type Selection = Parameters<CheerioAPI>[0]

/** The text of the first element that matches a selector inside another; empty when there is none. */
export function textIn($: CheerioAPI, inside: Selection, selector: string): string {
  return textOf($(inside).find(selector).first().text())
}

/** The texts of the cells of a table row. */
export function cellTexts($: CheerioAPI, row: Selection, cells = 'td'): string[] {
  return $(row)
    .find(cells)
    .toArray()
    .map((cell) => textOf($(cell).text()))
}

/** A piece of a page's text with the tag that directly holds it. */
export interface TextPiece {
  text: string
  tag: string
}

/** The pieces of a page's text in reading order, without scripts, styles and empty pieces. */
export function textPieces(body: string): TextPiece[] {
  const $ = parseHtml(body)
  const pieces: TextPiece[] = []
  // A stack, not recursion: a hostile page may nest deeper than our call stack.
  const stack = $.root().contents().toArray().reverse()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === 'text') {
      const text = textOf(node.data)
      const tag = node.parent !== null && 'name' in node.parent ? node.parent.name : ''
      if (text !== '') pieces.push({ text, tag })
    } else if ('children' in node && node.type !== 'script' && node.type !== 'style') {
      stack.push(...node.children.toReversed())
    }
  }
  return pieces
}
