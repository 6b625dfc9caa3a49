import type { FastifyRequest } from 'fastify'
import { published } from '../../api/dependencies.ts'
import { addresses } from '../../config/addresses.ts'
import type { Directory } from '../../config/airports/directory.ts'
import { ParameterError, PremiumRequiredError } from '../../config/errors.ts'
import { FORMATS } from '../pages/elements.tsx'
import { sendPage } from '../pages/frame.tsx'
import { OPEN_ROUTE, type PageInput } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { COMPARED_COLUMNS, comparedContent } from '../pictures/airport-pictures.ts'
import { FILE_TYPES, type FileFormat, pictureFile } from '../pictures/picture-files.ts'
import { OPEN_FILE } from '../pictures/routes.tsx'
import {
  type Choice,
  canonicalPath,
  chosenAirports,
  comparePage,
  comparisonOf,
  faultyComparison,
  MIN_AIRPORTS,
  mayCompare,
} from './compare-page.tsx'

const MAX_LETTERS = 200

/** Adds `/compare?airports=EWR,JFK,LGA`, and its picture as files. */
export const addComparePage: AddPages = (pages, { directory, settings }) => {
  const { site_url } = addresses(settings)
  pages.get('/compare', OPEN_ROUTE, (request, reply) => {
    const choice = choiceOf(request, directory)
    if (choice.faults.length > 0) return sendPage(request, reply, faultyComparison(choice, directory))
    const codes = codesOf(choice)
    const named = { ...choice, text: codes.join(', ') }
    return sendOpenPage(request, reply, `/compare?airports=${codes} ${choice.readings}`, (input) =>
      comparePage({ ...input, directory, choice: named }),
    )
  })

  for (const format of FORMATS)
    pages.get(`/compare.${format}`, OPEN_FILE, (request, reply) => {
      const choice = choiceOf(request, directory)
      const isShort = choice.airports.length < MIN_AIRPORTS && choice.faults.length === 0
      const faults = isShort ? ['Name at least two airports.'] : choice.faults
      if (faults.length > 0) throw new ParameterError(faults.map((message) => ({ parameter: 'airports', message })))
      return request.server.openAnswers.send(request, reply, {
        key: `file /compare.${format}?airports=${codesOf(choice)}`,
        type: FILE_TYPES[format],
        make: (input) => fileOf(format, choice, { ...input, directory, site_url }),
      })
    })
}

const codesOf = ({ airports }: Choice) => airports.map(({ iata }) => iata)

/** @throws ParameterError for what is no list of codes */
function choiceOf({ query }: FastifyRequest, directory: Directory): Choice {
  const { airports = '', add = '' } = query as { airports?: unknown; add?: unknown }
  if (typeof airports === 'string' && typeof add === 'string' && airports.length + add.length <= MAX_LETTERS)
    return chosenAirports([airports, add].filter(Boolean).join(','), directory)
  throw ParameterError.of('airports', 'must be one list of two to five codes like EWR,JFK,LGA')
}

const TITLE = 'Security waits side by side'

/** @throws HoldshortError NOT_READY, PREMIUM_REQUIRED */
async function fileOf(
  format: FileFormat,
  choice: Choice,
  { snapshot: latest, now, viewer, directory, site_url }: PageInput & { directory: Directory; site_url: string },
) {
  const snapshot = published(latest)
  if (!mayCompare(viewer))
    throw new PremiumRequiredError('pro', 'the operator of this site shows waits only to people who have signed in')
  const codes = codesOf(choice)
  const compared = comparisonOf(choice.airports.map((airport) => ({ airport, viewer, snapshot, directory, now })))
  const content = await comparedContent(compared, COMPARED_COLUMNS, () => ({}))
  return pictureFile(format, content, {
    heading: codes.join(', '),
    subheading: `${TITLE} · ${compared.timestamp.replace('T', ' ').replace(/:\d\dZ$/, ' UTC')}`,
    title: `${codes.join(', ')}: ${TITLE}`,
    columns: COMPARED_COLUMNS,
    unit: 'minutes',
    identity: { compared: codes.join(' ') },
    page: site_url + canonicalPath(codes),
    file: (extension) => `${site_url}/compare.${extension}?airports=${codes}`,
    made_at: snapshot.generated_at,
    simulated: snapshot.simulated,
  })
}
