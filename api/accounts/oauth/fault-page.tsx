import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { Document, pageHeaders, renderDocument } from '../../site/pages/document.tsx'
import { ROUTES } from './constants.ts'

export const HTML = 'text/html; charset=utf-8'

/** Answers an error of the authorization server: as a page for people at `/authorize`, as the JSON of RFC 6749 elsewhere. */
export function renderFault(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  if (!ctx.path.startsWith(ROUTES.authorization) || ctx.accepts('json', 'html') !== 'html') {
    ctx.body = out
    return
  }
  ctx.set(pageHeaders())
  ctx.type = HTML
  ctx.body = faultPage(out.error, out.error_description ?? 'the request is invalid')
}

/** The page that tells a person why an app cannot be connected, as HTML. */
export function faultPage(error: string, description: string): string {
  return renderDocument(
    <Document
      title="The client cannot be connected · Holdshort"
      description="An error of a connection request"
      skip={{ to: 'main', text: 'Skip to the content' }}
      simulated={false}
    >
      <main id="main" tabindex={-1}>
        <h1>The client cannot be connected</h1>
        <p>
          The app that sent you here made a request that cannot be fulfilled. Nothing was connected, and nothing was
          sent to the app.
        </p>
        <p>What is wrong: {description}.</p>
        <p class="none">{error}</p>
        <p>Go back to the app and start again.</p>
      </main>
    </Document>,
  )
}
