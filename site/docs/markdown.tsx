import { decodeHTMLStrict } from 'entities'
import { Lexer, lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'
import { Listing, Table } from '../pages/elements.tsx'
import { anchorOf, type Section } from './doc-page.ts'

/** Markdown as elements. Raw HTML in it is shown as text, and every address passes `link`. */

/** The target of a link on this site; null: none, so that only its text is shown. */
export type LinkTarget = (href: string) => string | null

interface Context {
  link: LinkTarget
  anchors: Map<Token, string>
  /** The heading that a part stands under: it names the tables and listings for screen readers. */
  heading: string
  count: number
}

/** Renders a document of Markdown. */
export function renderMarkdown(text: string, link: LinkTarget) {
  const tokens = lexer(text)
  const context: Context = { link, anchors: anchorsOf(tokens), heading: '', count: 0 }
  const first = tokens.find(isHeading)
  const title = first && first.depth === 1 ? plainText(first.tokens) : ''
  const shown = title === '' ? tokens : tokens.filter((token) => token !== first)
  return { title, sections: sectionsOf(shown, context), body: blocks(shown, context) }
}

/** A short text with code, emphasis and links, such as the description of a field. */
export function InlineMarkdown({ text, link = asItIs }: { text: string; link?: LinkTarget }) {
  const context: Context = { link, anchors: new Map(), heading: '', count: 0 }
  return <>{inlines(Lexer.lexInline(text), context)}</>
}

/** Paragraphs of a description. */
export function MarkdownBlocks({ text, link = asItIs }: { text: string; link?: LinkTarget }) {
  return <>{blocks(lexer(text), { link, anchors: new Map(), heading: '', count: 0 })}</>
}

/** Schemes that a link of a text may have. Any other one, `javascript:` or `data:`, runs or shows what the text brings along. */
const SCHEMES = new Set(['http:', 'https:', 'mailto:'])
const BASE = 'https://this.site'

/** An address that a link may lead to: http, https, mailto, or one on this site; null for every other one. */
function safeTarget(href: string | null): string | null {
  // Browsers leave out white space and control characters within an address, and read it as this parser does.
  if (href === null || !URL.canParse(href, BASE)) return null
  return SCHEMES.has(new URL(href, BASE).protocol) ? href : null
}

/** The text of a token, in which an entity such as `&copy;` is its character: elements escape what they hold. */
const characters = (text: string): string => decodeHTMLStrict(text)

const asItIs: LinkTarget = (href) => href

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

function anchorsOf(tokens: Token[]): Map<Token, string> {
  const used = new Map<string, number>()
  const anchors = new Map<Token, string>()
  for (const token of tokens.filter(isHeading)) {
    const anchor = anchorOf(plainText(token.tokens))
    const times = used.get(anchor) ?? 0
    used.set(anchor, times + 1)
    anchors.set(token, times === 0 ? anchor : `${anchor}-${times}`)
  }
  return anchors
}

function sectionsOf(tokens: Token[], { anchors }: Context): Section[] {
  const sections: Section[] = []
  for (const token of tokens) {
    if (isHeading(token))
      sections.push({ id: anchors.get(token)!, title: plainText(token.tokens), depth: token.depth, text: '' })
    else if (sections.length > 0) sections.at(-1)!.text += ` ${plainText([token])}`
  }
  return sections
}

/** The text of tokens without their markup. */
function plainText(tokens: Token[] = []): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        return [header, ...rows]
          .flat()
          .map((cell) => plainText(cell.tokens))
          .join(' ')
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ')
      const { tokens: inner, text = '' } = token as { tokens?: Token[]; text?: string }
      if (inner) return plainText(inner)
      return token.type === 'text' || token.type === 'image' ? characters(text) : text
    })
    .join('')
    .replace(/\s+/g, ' ')
}

function blocks(tokens: Token[], context: Context): ComponentChildren[] {
  return tokens.map((token) => block(token, context))
}

function block(token: Token, context: Context): ComponentChildren {
  switch (token.type) {
    case 'space':
    // The address of a link by reference: the link has it.
    case 'def':
      return null
    case 'heading':
      return headingOf(token as Tokens.Heading, context)
    case 'paragraph':
      return <p>{inlines(token.tokens ?? [], context)}</p>
    case 'text':
      return token.tokens ? inlines(token.tokens, context) : characters(token.text)
    case 'code':
      return listingOf(token as Tokens.Code, context)
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [], context)}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return listOf(token as Tokens.List, context)
    case 'table':
      return tableOf(token as Tokens.Table, context)
    // Raw HTML and anything unknown is text; a comment is for the readers of the file.
    default:
      return /^<!--.*-->\s*$/s.test(token.raw) ? null : <p>{token.raw}</p>
  }
}

/** A listing. It is named by what stands behind its language: ```sh Get a key. */
function listingOf({ text, lang = '' }: Tokens.Code, context: Context) {
  const [, ...name] = lang.split(' ')
  return <Listing text={text} label={name.join(' ') || nameOf(context, 'Listing')} />
}

function headingOf(token: Tokens.Heading, context: Context) {
  context.heading = plainText(token.tokens)
  const id = context.anchors.get(token)
  const text = inlines(token.tokens, context)
  if (token.depth <= 2) return <h2 id={id}>{text}</h2>
  return token.depth === 3 ? <h3 id={id}>{text}</h3> : <h4 id={id}>{text}</h4>
}

function nameOf(context: Context, kind: string): string {
  context.count += 1
  return `${kind} ${context.count}${context.heading === '' ? '' : `: ${context.heading}`}`
}

function listOf({ ordered, start, items }: Tokens.List, context: Context) {
  const rows = items.map((item) => <li>{blocks(item.tokens, context)}</li>)
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>
}

function tableOf({ header, rows, align }: Tokens.Table, context: Context) {
  const columns = header.map((cell, place) => {
    // A heading without a text has no name for screen readers.
    const text = plainText(cell.tokens) || 'What'
    return align[place] === 'right' ? { number: text } : text
  })
  return (
    <Table
      label={nameOf(context, 'Table')}
      columns={columns}
      namesRows={false}
      rows={rows.map((row) => row.map((cell) => <>{inlines(cell.tokens, context)}</>))}
    />
  )
}

function inlines(tokens: Token[], context: Context): ComponentChildren[] {
  return tokens.map((token) => inline(token, context))
}

function inline(token: Token, context: Context): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens ?? [], context)}</strong>
    case 'em':
      return <em>{inlines(token.tokens ?? [], context)}</em>
    case 'del':
      return <del>{inlines(token.tokens ?? [], context)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'escape':
      return token.text
    case 'link': {
      const target = safeTarget(context.link(characters((token as Tokens.Link).href)))
      const text = inlines(token.tokens ?? [], context)
      return target === null ? text : <a href={target}>{text}</a>
    }
    // A page shows no picture of a text, which could be anybody's: only what it is called.
    case 'image':
      return characters(token.text)
    case 'text':
      return token.tokens ? inlines(token.tokens, context) : characters(token.text)
    default:
      return token.raw
  }
}
