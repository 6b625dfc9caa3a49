import { addresses } from '../../config/addresses.ts'
import { addMapFiles } from '../map/file-route.ts'
import { LEGENDS } from '../map/map-colours.ts'
import { statesMap } from '../map/world.ts'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { rowsOf } from '../pictures/picture-files.ts'
import { delaysDay, delaysPage } from './delays-page.tsx'

const COLUMNS = {
  airport: 'IATA code.',
  name: 'Name of the airport.',
  status: 'The gravest delay or closure in force.',
  summary: 'What the FAA lists, in words.',
  observed_at: 'When the FAA published it (UTC).',
  age_seconds: 'Age of that at the time of the snapshot.',
  source: 'Id of the source.',
}

/** Adds `/delays`, and the same as files. */
export const addDelaysPage: AddPages = (pages, { directory, settings }) => {
  const { site_url } = addresses(settings)
  pages.get('/delays', OPEN_ROUTE, (request, reply) =>
    sendOpenPage(request, reply, '/delays', (input) => delaysPage({ ...input, directory })),
  )
  addMapFiles(
    pages,
    '/delays',
    () => '',
    (snapshot, { now }) => {
      const { day, entries } = delaysDay(snapshot, directory, now)
      return {
        about: {
          title: 'US flight delays now',
          description: day.summary,
          unit: null,
          source: 'Federal Aviation Administration',
          licence: 'Works of the United States government, in the public domain. Borders: U.S. Census Bureau.',
          page: `${site_url}/delays`,
          file: (format) => `${site_url}/delays.${format}`,
          columns: COLUMNS,
        },
        rows: rowsOf(
          COLUMNS,
          day.airports.map((airport) => ({ ...day, ...airport })),
        ),
        picture: { directory: null, base: statesMap(), legend: LEGENDS.delay, entries, credit: [] },
      }
    },
  )
}
