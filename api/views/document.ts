import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { memoizeByObject } from '../../config/once.ts'
import { DARK, LIGHT, PAINT, type Palette } from '../../config/palette.ts'
import { projectFile } from '../../config/paths.ts'
import { projectText } from '../../config/project-text.ts'
import type { View } from './define-view.ts'

/** Each colour of the palette as one that follows the host's light or dark setting. */
const COLOURS = Object.fromEntries(
  Object.entries(LIGHT).map(([name, light]) => [name, `light-dark(${light},${DARK[name as keyof Palette]})`]),
)

/** The one style of the pictures: the colours of a taxiway's holding position, light and dark, or those of the host. */
const STYLE = projectText('api/views/picture.css', { ...COLOURS, ...PAINT })

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A compiled script without what binds it to other files, because a picture is one document. */
function scriptOf(name: string): string {
  const text = readFileSync(projectFile('dist', 'api', 'views', 'browser', `${name}.js`), 'utf8')
  return text
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export (\{\};\n)?/gm, '')
    .replace(/^\s+/gm, '')
}

/** The document of a picture: complete in itself, with a policy under which it can load and ask for nothing. */
export const viewDocument = memoizeByObject(({ name, title }: View) => {
  const script = `'use strict'\n{\n${scriptOf('shell')}${scriptOf(name)}}\n`
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(STYLE)}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main aria-live="polite"><p class="quiet">Waiting for the answer…</p></main>
<script>${script}</script>
</body>
</html>
`
})
