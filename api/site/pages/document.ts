import { createHash } from 'node:crypto'
import { escaped } from './html.ts'
import { STYLE } from './style.ts'

const styleHash = createHash('sha256').update(STYLE).digest('base64')

interface PageNeeds {
  /** Null for no form at all; else the origins besides this one that a form may end up at. */
  forms?: string[] | null
  /** Whether it needs a script of ours. */
  scripts?: boolean
}

/** The headers of a page. Nothing but our own style, icon and, where it needs them, scripts: no font, no frame, no third party. */
export function pageHeaders({ forms = null, scripts = false }: PageNeeds = {}) {
  const own = scripts ? " script-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self';" : ''
  const targets = forms === null ? "'none'" : ["'self'", ...forms].join(' ')
  return {
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self';${own} base-uri 'none'; form-action ${targets}; frame-ancestors 'none'`,
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': forms === null ? 'no-referrer' : 'same-origin',
  }
}

interface DocumentParts {
  title: string
  description: string
  /** The first stop of the keyboard: past the head, to this id. */
  skip: { to: string; text: string }
  simulated: boolean
  /** Names of our own scripts. */
  scripts?: string[]
  /** HTML. */
  body: string
}

const banner = `<p class="banner"><strong>SIMULATED world.</strong> Every figure here is invented by a simulator. Do not travel by it.</p>
`

/** A whole page: plain HTML, readable without styles. A simulated world is said before anything else. */
export function htmlDocument({ title, description, skip, simulated, scripts = [], body }: DocumentParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">${scripts.length > 0 ? '\n<link rel="manifest" href="/manifest.webmanifest">' : ''}
<title>${escaped(title)}</title>
<style>${STYLE}</style>${scripts.map((name) => `\n<script type="module" src="/assets/${name}.js"></script>`).join('')}
</head>
<body>
<a class="skip" href="#${skip.to}">${skip.text}</a>
${simulated ? banner : ''}${body}
</body>
</html>
`
}
