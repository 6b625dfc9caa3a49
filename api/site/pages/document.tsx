import { createHash } from 'node:crypto'
import type { ComponentChildren, VNode } from 'preact'
import { render } from 'preact-render-to-string'
import { terminalLines } from '../../../config/outside-text.ts'
import { STYLE } from './style.ts'

const styleHash = createHash('sha256').update(STYLE).digest('base64')

interface PagePermissions {
  /** Null when the page has no form; otherwise the other origins that a form may be redirected to. */
  forms?: string[] | null
  /** Whether the page loads our own scripts. */
  scripts?: boolean
}

/** The headers of a page. They allow our own style, icon and, where needed, scripts; no fonts, frames or third parties. */
export function pageHeaders({ forms = null, scripts = false }: PagePermissions = {}) {
  const own = scripts ? " script-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self';" : ''
  const targets = forms === null ? "'none'" : ["'self'", ...forms].join(' ')
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self';${own} base-uri 'none'; form-action ${targets}; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': forms === null ? 'no-referrer' : 'same-origin',
  }
}

interface DocumentProps {
  title: string
  description: string
  /** The first keyboard stop: a link to this element id, past the navigation. */
  skip: { to: string; text: string }
  simulated: boolean
  /** File names of our own scripts, without extension. */
  scripts?: string[]
  children: ComponentChildren
}

/** A whole HTML document. It is readable without styles, and a simulated world is announced first. */
export function Document({ title, description, skip, simulated, scripts = [], children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {scripts.length > 0 && <link rel="manifest" href="/manifest.webmanifest" />}
        <title>{title}</title>
        {/* The policy allows exactly these bytes by their hash, so nothing may be escaped in them. */}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
        {scripts.map((name) => (
          <script type="module" src={`/assets/${name}.js`} />
        ))}
      </head>
      <body>
        <a class="skip" href={`#${skip.to}`}>
          {skip.text}
        </a>
        {simulated && (
          <aside aria-label="Simulated world">
            <p class="banner">
              <strong>SIMULATED world.</strong> Every figure here is invented by a simulator. Do not use it for travel.
            </p>
          </aside>
        )}
        {children}
      </body>
    </html>
  )
}

/** Characters that could end the element, or that a script may not contain, as JSON writes them. */
const ESCAPED_IN_DATA = /[<>&\u2028\u2029\p{Cc}\p{Cf}]/gu

/** What a machine may know of the page, as JSON that no browser runs (JSON-LD). Markup in its values stays text. */
export function DataBlock({ value }: { value: object }) {
  const text = JSON.stringify(value).replace(ESCAPED_IN_DATA, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: text }} />
}

/**
 * The text of a document. This is the only place where markup becomes text; it escapes every value, and characters that are
 * invisible or change the direction of the text are shown as escapes.
 */
export const renderDocument = (document: VNode): string => `<!doctype html>\n${terminalLines(render(document))}\n`
