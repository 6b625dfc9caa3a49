import { findAirport } from '../../data/queries/find-airport.ts'
import { pageHeaders, renderDocument } from '../pages/document.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import type { AddPages } from '../pages/page-scope.tsx'
import { WallDocument } from './wall-page.tsx'

/** Adds `/tv/:iata`: an airport on a wall. */
export const addWallPage: AddPages = (pages, { directory }) => {
  pages.get('/tv/:iata', OPEN_ROUTE, (request, reply) => {
    const { iata } = request.params as { iata: string }
    const airport = findAirport(iata.toUpperCase(), { directory })
    if (iata !== airport.iata) return reply.redirect(`/tv/${airport.iata}`, 308)
    return request.server.openAnswers.send(request, reply, {
      key: `/tv/${airport.iata}`,
      type: 'text/html; charset=utf-8',
      headers: pageHeaders(),
      make: (input) => renderDocument(<WallDocument input={Object.assign({ airport, directory }, input)} />),
    })
  })
}
