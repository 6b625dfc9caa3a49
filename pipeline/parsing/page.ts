import type { ParsedReading } from '../../warehouse/tables/readings.ts'
import { htmlBody, textOf } from './body.ts'
import type { ParseContext, RequestContext, SourceRequest } from './collector.ts'

/** One request for the one page of a source; its airport is named when the source has only one. */
export function pageRequest({ source }: RequestContext, accept = 'text/html'): SourceRequest[] {
  const [only = null, another] = source.airports
  const iata = another === undefined ? only : null
  return [{ url: source.url, method: 'GET', headers: { Accept: accept }, body: null, iata }]
}

/** The observation of a payload without a time: the moment it was fetched. */
export function seenAtFetch(context: ParseContext): Pick<ParsedReading, 'observed_at' | 'observed_at_basis'> {
  return { observed_at: context.fetched_at, observed_at_basis: 'fetch' }
}

/** A piece of a page's text with the tag that directly holds it. */
export interface Words {
  text: string
  tag: string
}

/** The texts of a page in reading order, without scripts, styles and empty pieces. */
export function wordsInOrder(body: string): Words[] {
  const $ = htmlBody(body)
  const words: Words[] = []
  // A stack, not recursion: a hostile page nests deeper than ours may.
  const left = $.root().contents().toArray().reverse()
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === 'text') {
      const text = textOf(node.data)
      const tag = node.parent !== null && 'name' in node.parent ? node.parent.name : ''
      if (text !== '') words.push({ text, tag })
    } else if ('children' in node && node.type !== 'script' && node.type !== 'style') {
      left.push(...node.children.toReversed())
    }
  }
  return words
}
