import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InlineStyle } from '../style/index.ts'
import { pageHeaders, renderDocument } from './document.tsx'
import type { PageInput } from './open-answers.ts'
import { type Page, Shell } from './shell.tsx'
import { viewOf } from './view.ts'

const HTML = 'text/html; charset=utf-8'

/**
 * Sends a page that anyone may see: kept for strangers, made anew for a signed-in visitor. `key` names the address with the
 * parameters that the page reads. Such a page has no form that is posted.
 */
export function sendOpenPage(
  request: FastifyRequest,
  reply: FastifyReply,
  key: string,
  make: (input: PageInput) => Page | Promise<Page>,
  inlineStyle: InlineStyle | null = null,
): Promise<FastifyReply> {
  return request.server.openAnswers.send(request, reply, {
    key: `page ${key}`,
    type: HTML,
    headers: pageHeaders({ inlineStyle }),
    make: async (input) => {
      const page = await make(input)
      const whole = { about: { path: request.url.split('?')[0]! }, ...page }
      return renderDocument(<Shell view={viewOf(request)} page={whole} inlineStyle={inlineStyle} />)
    },
  })
}
