import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DARK, LIGHT, PAINT, type Palette } from '../../../config/palette.ts'
import { projectFile } from '../../../config/paths.ts'
import type { View } from './define-view.ts'

/** A colour that follows the host's light or dark setting. */
const both = (name: keyof Palette) => `light-dark(${LIGHT[name]},${DARK[name]})`

/** The one style of the pictures: the colours of a taxiway's holding position, light and dark, or those of the host. */
const STYLE = `
:root{color-scheme:light dark;--back:var(--color-background-primary,${both('back')});--text:var(--color-text-primary,${both('text')});--quiet:var(--color-text-secondary,${both('quiet')});--rule:var(--color-border-primary,${both('line')});--line:${both('ink')};--band:${both('band')};--hold:${both('bad')}}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
*{box-sizing:border-box}
body{margin:0;padding:12px;font:15px/1.45 var(--font-sans,system-ui,sans-serif);color:var(--text);background:var(--back);overflow-wrap:anywhere}
h1{margin:0;font-size:1rem;font-weight:400}h1 b{font-size:1.15rem}h2{margin:.9rem 0 .2rem;font-size:.9rem}p{margin:.2rem 0}
.figure strong{font-size:2rem;line-height:1.15}.quiet{color:var(--quiet);font-size:.85rem}.held{color:var(--hold);font-weight:600}
.banner{margin-bottom:.6rem;padding:.35rem .6rem;color:${PAINT.asphalt};background:${PAINT.signal}}
.row{display:flex;flex-wrap:wrap;gap:0 .5rem;align-items:baseline}.tag{padding:0 .45rem;border:1px solid currentColor;font-size:.8rem;font-weight:600}
ul{margin:.6rem 0;padding:0;list-style:none}li{padding:.5rem 0;border-top:1px solid var(--rule)}
svg{display:block;max-width:100%;overflow:visible}text{fill:var(--quiet);font-size:12px;font-variant-numeric:tabular-nums}text.name{fill:var(--text);font-weight:600}
.grid{stroke:var(--rule)}.band{fill:var(--band)}.line{fill:none;stroke:var(--line);stroke-width:2;stroke-linejoin:round}.dot{fill:var(--line);stroke:var(--back);stroke-width:2}.closed{fill:var(--rule);opacity:.6}.spot{fill:transparent}.spot:hover{fill:var(--quiet);opacity:.25}
.wanted{stroke:var(--quiet);stroke-dasharray:4 4}.mark{stroke:var(--line);stroke-dasharray:2 3}
summary{margin-top:.5rem;cursor:pointer;font-size:.85rem}table{width:100%;border-collapse:collapse;font-size:.85rem}th,td{padding:.15rem .5rem .15rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
button{margin:.5rem 0;padding:.4rem .8rem;font:inherit;font-weight:600;color:var(--back);background:var(--text);border:0}:focus-visible{outline:3px solid var(--hold);outline-offset:2px}
`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A compiled script without what binds it to other files, because a picture is one document. */
function scriptOf(name: string): string {
  const text = readFileSync(projectFile('dist', 'api', 'data', 'views', 'browser', `${name}.js`), 'utf8')
  return text
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export (\{\};\n)?/gm, '')
    .replace(/^\s+/gm, '')
}

const documents = new Map<string, string>()

/** The document of a picture: complete in itself, with a policy under which it can load and ask for nothing. */
export function viewDocument(view: View): string {
  const made = documents.get(view.uri) ?? makeDocument(view)
  documents.set(view.uri, made)
  return made
}

function makeDocument({ name, title }: View): string {
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
}
