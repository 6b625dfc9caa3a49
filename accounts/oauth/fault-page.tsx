import type { ParameterizedContext } from 'koa'
import type { ErrorOut } from 'oidc-provider'
import { pageHeaders, renderDocument } from '../../site/pages/document.tsx'
import { Shell, type View } from '../../site/pages/shell.tsx'
import { ROUTES } from './constants.ts'

export const HTML = 'text/html; charset=utf-8'

/** Answers an error of the authorization server: as a page for people at `/authorize`, as the JSON of RFC 6749 elsewhere. */
export function renderFault(ctx: ParameterizedContext, out: ErrorOut): void {
  if (!ctx.path.startsWith(ROUTES.authorization) || ctx.accepts('json', 'html') !== 'html') {
    ctx.body = out
    return
  }
  ctx.set(pageHeaders())
  ctx.type = HTML
  ctx.body = faultPage(out.error, out.error_description ?? 'the request is invalid')
}

/** The page that tells a person why an app cannot be connected, as HTML. The library of the authorization server knows no visitor. */
export function faultPage(error: string, description: string): string {
  const body = (
    <>
      <p>
        The app that sent you here made a request that cannot be fulfilled. Nothing was connected, and nothing was sent
        to the app.
      </p>
      <p>What is wrong: {description}.</p>
      <p class="none">{error}</p>
      <p>Go back to the app and start again.</p>
    </>
  )
  const page = { title: 'The client cannot be connected', description: 'An error of a connection request', body }
  return renderDocument(<Shell view={UNKNOWN_VIEW} page={page} />)
}

const UNKNOWN_VIEW: View = {
  site_url: '',
  path: ROUTES.authorization,
  isSignedIn: null,
  isSimulated: false,
  contact: null,
}
