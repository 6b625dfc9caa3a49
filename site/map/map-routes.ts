import { ResponseBody, sendBody } from '../../api/rest/response-body.ts'
import { notFoundError } from '../../api/rest/unknown-routes.ts'
import { addresses } from '../../config/addresses.ts'
import { PremiumRequiredError } from '../../config/errors.ts'
import type { AddPages } from '../pages/page-scope.tsx'
import { addMapFiles, PICTURE_HEADERS } from './file-route.ts'
import { COLOUR_TITLES, type Colour, colourOf, LEGENDS } from './map-colours.ts'
import { MAP_COLUMNS, mapEntries, rowOf } from './map-entries.ts'
import { worldMap } from './world.ts'
import { backgroundsOf } from './world-picture.tsx'

const DESCRIPTIONS: Record<Colour, string> = {
  wait: 'Airports whose security wait is observed now, or forecast by a model of their own. Estimates from other airports are left out.',
  delay: 'Airports that the FAA covers, with the gravest of its programs and closures in force.',
}

/** Adds the map of the start page as files, `/map.svg` and so on with `?colour=`, and the backgrounds of the maps in pages. */
export const addMaps: AddPages = (pages, { directory, settings }) => {
  const { site_url } = addresses(settings)

  pages.get('/assets/maps/:file', (request, reply) => {
    const { file } = request.params as { file: string }
    const found = Object.values(backgroundsOf(directory)).find(({ name }) => file.startsWith(`${name}.`))
    if (!found) throw notFoundError(request)
    const body = new ResponseBody(found.text, 'image/svg+xml; charset=utf-8', 'map', PICTURE_HEADERS)
    // A page of another version of the service gets the present map rather than none.
    const isPresent = found.address.endsWith(`/${file}`)
    return sendBody(request, reply, body, isPresent ? 'public, max-age=31536000, immutable' : 'no-cache')
  })

  addMapFiles(
    pages,
    '/map',
    ({ query }) => colourOf(query),
    (snapshot, { now, viewer: { currentTier } }, key) => {
      const colour = key as Colour
      const entries = mapEntries(colour, { snapshot, directory, currentTier, now })
      if (!entries)
        throw new PremiumRequiredError('pro', 'the operator of this site shows waits only to accounts of Pro or higher')
      const parameters = colour === 'wait' ? '' : `?colour=${colour}`
      return {
        about: {
          title: COLOUR_TITLES[colour],
          description: DESCRIPTIONS[colour],
          unit: colour === 'delay' ? null : 'minutes',
          source:
            colour === 'delay' ? 'Federal Aviation Administration' : 'airports and authorities, named in each row',
          licence: 'The terms of each source. Land: Natural Earth, public domain.',
          page: `${site_url}/${parameters}`,
          file: (format) => `${site_url}/map.${format}${parameters}`,
          columns: MAP_COLUMNS,
        },
        rows: entries.map(rowOf),
        picture: { directory, base: worldMap(), legend: LEGENDS[colour], entries, credit: ['Land: Natural Earth'] },
      }
    },
  )
}
