import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { htmlDocument, pageHeaders } from '../../site/pages/document.ts'
import { escaped } from '../../site/pages/html.ts'
import { ROUTES } from './constants.ts'

export const HTML = 'text/html; charset=utf-8'

/** A fault of the authorization server for whoever met it: a page for a person at `/authorize`, RFC 6749's JSON elsewhere. */
export function renderFault(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  if (!ctx.path.startsWith(ROUTES.authorization) || ctx.accepts('json', 'html') !== 'html') {
    ctx.body = out
    return
  }
  ctx.set(pageHeaders())
  ctx.type = HTML
  ctx.body = faultPage(out.error, out.error_description ?? 'the request is invalid')
}

/** The page that tells a person why an app cannot be connected. */
export function faultPage(error: string, description: string): string {
  return htmlDocument({
    title: 'The client cannot be connected · Holdshort',
    description: 'A fault of a connection request',
    skip: { to: 'main', text: 'Skip to the content' },
    simulated: false,
    body: `<main id="main" tabindex="-1">
<h1>The client cannot be connected</h1>
<p>The app that sent you here asked for something that cannot be done. Nothing was connected, and the app was told nothing.</p>
<p>What is wrong: ${escaped(description)}.</p>
<p class="none">${escaped(error)}</p>
<p>Go back to the app and begin again.</p>
</main>`,
  })
}
