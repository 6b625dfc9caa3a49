import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import { notFoundError } from '../../api/rest/unknown-routes.ts'
import { browserScript } from '../../api/views/browser-script.ts'
import { projectFile } from '../../config/paths.ts'
import { STYLE, STYLE_ADDRESS } from '../style/index.ts'
import { addCachedText } from './cached-text.ts'

/** The scripts that whole pages have anyway bring the one of the clocks, so that it costs no request. */
const WITH_CLOCKS = new Set(['find.js', 'wall.js'])

/** Serves the style sheet of our pages, and their scripts, which their own tsconfig compiles from `pages/browser/`. */
export function addAssets(app: FastifyInstance): void {
  addStyle(app)
  const folder = ['site', 'pages', 'browser']
  const scriptOf = (file: string) => browserScript(...folder, file)
  for (const file of readdirSync(projectFile('dist', ...folder)).filter((name) => name.endsWith('.js'))) {
    const text = WITH_CLOCKS.has(file) ? `{${scriptOf('clocks.js')}}\n${scriptOf(file)}` : scriptOf(file)
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

/**
 * Serves the style sheet at its address. A page of another version of the service, which a cache kept, names another address:
 * it gets the present style rather than none.
 */
function addStyle(app: FastifyInstance): void {
  const type = 'text/css; charset=utf-8'
  const body = new ResponseBody(STYLE, type, 'style')
  app.get(STYLE_ADDRESS, (request, reply) => sendBody(request, reply, body, 'public, max-age=31536000, immutable'))
  app.get('/assets/:file', (request, reply) => {
    const { file } = request.params as { file: string }
    if (!/^site\.[\w-]+\.css$/.test(file)) throw notFoundError(request)
    return sendBody(request, reply, body, 'no-cache')
  })
}
