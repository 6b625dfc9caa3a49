import type { FastifyReply, FastifyRequest } from 'fastify'
import type { InlineStyle } from '../style/index.ts'
import { pageHeaders, renderDocument } from './document.tsx'
import { Metadata } from './metadata.tsx'
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
      const head = page.head ?? metadataOf(page, request, input)
      return renderDocument(<Shell view={viewOf(request)} page={{ ...page, head }} inlineStyle={inlineStyle} />)
    },
  })
}

/** What is told of a page to others than its reader. */
function metadataOf(page: Page, { server: { site }, url }: FastifyRequest, { snapshot }: PageInput) {
  const { title, description = title, about = { path: url.split('?')[0]! } } = page
  const isSimulated = snapshot?.simulated === true
  return <Metadata {...{ title, description, ...about, isSimulated }} site_url={site.site_url} />
}
