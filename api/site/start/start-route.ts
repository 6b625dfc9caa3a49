import { addresses } from '../../../config/settings.ts'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { startPage } from './start-page.tsx'

/** Adds the start page. */
export const addStartPage: AddPages = (pages, { directory, settings }) => {
  const { site_url, mcp_url } = addresses(settings)
  pages.get('/', OPEN_ROUTE, (request, reply) =>
    sendOpenPage(request, reply, '/', ({ snapshot, now }) =>
      startPage({ snapshot, directory, site_url, mcp_url, now }),
    ),
  )
}
