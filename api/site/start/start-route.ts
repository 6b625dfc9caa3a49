import { addresses } from '../../../config/addresses.ts'
import { colourOf } from '../map/map-colours.ts'
import { backgroundsOf } from '../map/world-picture.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { startPage } from './start-page.tsx'

/** Adds the start page. */
export const addStartPage: AddPages = (pages, { directory, settings }) => {
  const { mcp_url } = addresses(settings)
  pages.preparations.push(() => backgroundsOf(directory))
  pages.get('/', OPEN_ROUTE, (request, reply) => {
    const colour = colourOf(request.query)
    return sendOpenPage(request, reply, `/?colour=${colour}`, (input) =>
      startPage({ ...input, directory, mcp_url, colour }),
    )
  })
}
