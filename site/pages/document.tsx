import type { ComponentChildren, VNode } from 'preact'
import { PAINT } from '../../config/palette.ts'
import { renderMarkup } from '../markup/render.ts'
import { type InlineStyle, STYLE_ADDRESS } from '../style/index.ts'

interface PagePermissions {
  /** The other origins that a form of the page may be redirected to, over any number of redirects. */
  formTargets?: readonly string[] | 'any'
  /** Any site may show the page in a frame. */
  framed?: boolean
  /** The style that stands in the page, in place of the sheet of all pages. */
  inlineStyle?: InlineStyle | null
}

/** The headers of a page. They allow our own style, pictures and scripts, and forms that stay here; no fonts, no third parties. */
export function pageHeaders({ formTargets = [], framed = false, inlineStyle = null }: PagePermissions = {}) {
  const styles = inlineStyle ? `'self' ${inlineStyle.source}` : "'self'"
  const policy = [
    "default-src 'none'",
    `style-src ${styles}`,
    "img-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    ...(formTargets === 'any' ? [] : [`form-action ${["'self'", ...formTargets].join(' ')}`]),
    `frame-ancestors ${framed ? '*' : "'none'"}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    ...(!framed && { 'x-frame-options': 'DENY' }),
    // The browser asks for the style with the first byte, before it has read the page.
    ...(!inlineStyle && { link: `<${STYLE_ADDRESS}>; rel=preload; as=style` }),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'same-origin',
  }
}

interface DocumentProps {
  title: string
  description: string
  /** File names of our own scripts in `pages/browser/`, without extension. */
  scripts?: readonly string[]
  /** Further elements of the head: canonical address, share image, description for machines. */
  head?: ComponentChildren
  /** The style that stands in the page, in place of the sheet of all pages. */
  inlineStyle?: InlineStyle | null
  /** The class of the body; a page without the shell, such as one for a wall, has its own. */
  kind?: string
  children: ComponentChildren
}

/** A whole HTML document. It is readable without styles and without scripts. */
export function Document({
  title,
  description,
  scripts = [],
  head,
  inlineStyle = null,
  kind,
  children,
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content={PAINT.asphalt} />
        <title>{title}</title>
        <meta name="description" content={description} />
        {inlineStyle ? (
          <style dangerouslySetInnerHTML={{ __html: inlineStyle.text }} />
        ) : (
          <link rel="stylesheet" href={STYLE_ADDRESS} />
        )}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {head}
        {scripts.map((name) => (
          <script type="module" src={`/assets/${name}.js`} />
        ))}
      </head>
      <body class={kind}>{children}</body>
    </html>
  )
}

/** Characters that could end the element, or that a script may not contain, as JSON writes them. */
const ESCAPED_IN_DATA = /[<>&\u2028\u2029\p{Cc}\p{Cf}]/gu

/** Facts about the page for machines, as JSON that no browser runs (JSON-LD). Markup in its values stays text. */
export function DataBlock({ value }: { value: object }) {
  const text = JSON.stringify(value).replace(ESCAPED_IN_DATA, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
}

/** The text of a document. */
export const renderDocument = (document: VNode): string =>
  `<!doctype html>\n${renderMarkup(document).replace(BEFORE_PERCENT, '\u00a0%')}\n`

/** A line must not break here: before the sign of a percentage. */
const BEFORE_PERCENT = /(?<=\d) %/g

/** The text of a picture, for a file of its own; it escapes every value. */
export const renderPicture = (picture: VNode): string => `${renderMarkup(picture)}\n`
