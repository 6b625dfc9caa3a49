import { createHash } from 'node:crypto'
import { escaped } from './html.ts'
import { STYLE } from './style.ts'

const styleHash = createHash('sha256').update(STYLE).digest('base64')

/** The headers of every page. Nothing but our own style and icon: no script, no font, no frame, no third party. */
export const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
}

interface DocumentParts {
  title: string
  description: string
  /** The first stop of the keyboard: past the head, to this id. */
  skip: { to: string; text: string }
  simulated: boolean
  /** HTML. */
  body: string
}

const banner = `<p class="banner"><strong>SIMULATED world.</strong> Every figure here is invented by a simulator. Do not travel by it.</p>
`

/** A whole page: plain HTML, readable without styles. A simulated world is said before anything else. */
export function htmlDocument({ title, description, skip, simulated, body }: DocumentParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(description)}">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#${skip.to}">${skip.text}</a>
${simulated ? banner : ''}${body}
</body>
</html>
`
}
