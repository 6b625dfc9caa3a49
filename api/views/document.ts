import { createHash } from 'node:crypto'
import { once } from '../../config/once.ts'
import { browserScript } from './browser-script.ts'
import type { View } from './define-view.ts'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The compiled script of the frame. */
const frameScript = once(() => {
  const text = browserScript('api', 'views', 'browser', 'shell.js')
  return `'use strict'\n{\n${text.replace(/^\s+/gm, '')}}\n`
})

/** The frame that shows the picture of an answer: complete in itself, with a policy under which it can load and ask for nothing. */
export function viewDocument({ title }: View, style: string): string {
  const script = frameScript()
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main aria-live="polite"><p class="quiet">Waiting for the answer…</p></main>
<script>${script}</script>
</body>
</html>
`
}
