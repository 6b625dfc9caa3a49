import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { projectFile } from '../../../config/paths.ts'
import { addCachedText } from './cached-text.ts'

/** Serves the scripts of our pages, which their own tsconfig compiles from `pages/browser/`. */
export function addAssets(app: FastifyInstance): void {
  const folder = projectFile('dist', 'api', 'site', 'pages', 'browser')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    // The compiler marks a module with an empty export, which is a syntax error in a service worker.
    const text = readFileSync(`${folder}/${file}`, 'utf8').replace(
      /\n\/\/# sourceMappingURL=.*\n?$|^export \{\};\n/gm,
      '\n',
    )
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
    // The scope of a service worker is the folder that it is served from.
    const url = file === 'service-worker.js' ? `/${file}` : `/assets/${file}`
    addCachedText(
      app,
      { url, type: 'text/javascript; charset=utf-8', maxAge: 300 },
      () => version,
      () => text,
    )
  }
}
