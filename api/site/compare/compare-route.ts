import { ParameterError } from '../../../config/errors.ts'
import { sendPage } from '../pages/frame.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { chosenAirports, comparePage, faultyComparison } from './compare-page.tsx'

const MAX_LETTERS = 200

/** Adds `/compare?airports=EWR,JFK,LGA`. */
export const addComparePage: AddPages = (pages, { directory }) => {
  pages.get('/compare', OPEN_ROUTE, (request, reply) => {
    const { airports = '' } = request.query as { airports?: unknown }
    if (typeof airports !== 'string' || airports.length > MAX_LETTERS)
      throw new ParameterError([
        { parameter: 'airports', message: 'must be one list of two to five codes like EWR,JFK,LGA' },
      ])
    const choice = chosenAirports(airports, directory)
    if (choice.faults.length > 0) return sendPage(request, reply, faultyComparison(choice, directory))
    const codes = choice.airports.map(({ iata }) => iata)
    const named = { text: codes.join(', '), airports: choice.airports, faults: [] }
    return sendOpenPage(request, reply, `/compare?airports=${codes}`, (input) =>
      comparePage(Object.assign({ directory, choice: named }, input)),
    )
  })
}
