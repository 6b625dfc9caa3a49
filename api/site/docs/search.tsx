import type { DocPage } from './doc-page.ts'

/** A part of the documentation that has all words of a query. */
export interface DocHit {
  path: string
  /** The page and, within it, the part. */
  page: string
  title: string
  /** What stands around the first word. */
  excerpt: string
}

const MAX_HITS = 30
const EXCERPT_CHARACTERS = 160

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean)

/** The parts of the pages that have all words of a query: first those that are named so. */
export function searchDocs(pages: readonly DocPage[], query: string): DocHit[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = pages.flatMap((page) => {
    const own = { id: '', title: page.title, depth: 0, text: page.description }
    return [own, ...page.sections].flatMap(({ id, title, text }) => {
      const score = scoreOf(words, `${title} ${id}`.toLowerCase(), `${page.title} ${text}`.toLowerCase())
      if (score === 0) return []
      const hit = {
        path: id === '' ? page.path : `${page.path}#${id}`,
        page: page.title,
        title,
        excerpt: excerptOf(text, words),
      }
      return [{ score, hit }]
    })
  })
  const seen = new Set<string>()
  return found
    .sort((a, b) => b.score - a.score)
    .flatMap(({ hit }) => {
      if (seen.has(hit.path)) return []
      seen.add(hit.path)
      return [hit]
    })
    .slice(0, MAX_HITS)
}

/** 0 unless every word occurs; words in the name count most, whole names more than parts. */
function scoreOf(words: string[], name: string, text: string): number {
  let score = 0
  for (const word of words) {
    if (name === word || name.split(/[^\p{L}\p{N}_]+/u).includes(word)) score += 6
    else if (name.includes(word)) score += 4
    else if (text.includes(word)) score += 1
    else return 0
  }
  return score
}

function excerptOf(text: string, words: string[]): string {
  const clean = text.replace(/\s+/g, ' ').trim()
  const places = words.map((word) => clean.toLowerCase().indexOf(word)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, clean.length) - EXCERPT_CHARACTERS / 3)
  const cut = places.length === 0 ? 0 : Math.floor(from)
  const part = clean.slice(cut, cut + EXCERPT_CHARACTERS)
  return `${cut > 0 ? '…' : ''}${part}${cut + EXCERPT_CHARACTERS < clean.length ? '…' : ''}`
}
