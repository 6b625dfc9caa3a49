import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { projectFile } from '../../../config/paths.ts'
import { addText } from './static-body.ts'

/** The scripts of our pages, compiled from `pages/browser/` by their own tsconfig. Served by us; there is no other. */
export function addAssets(app: FastifyInstance): void {
  const folder = projectFile('dist', 'api', 'site', 'pages', 'browser')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    // The empty export that the compiler marks a module with is a fault in a service worker, which is none.
    const text = readFileSync(`${folder}/${file}`, 'utf8').replace(
      /\n\/\/# sourceMappingURL=.*\n?$|^export \{\};\n/gm,
      '\n',
    )
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
    // A service worker's scope is the folder it is served from.
    const url = file === 'service-worker.js' ? `/${file}` : `/assets/${file}`
    addText(
      app,
      { url, type: 'text/javascript; charset=utf-8', maxAge: 300 },
      () => version,
      () => text,
    )
  }
}
