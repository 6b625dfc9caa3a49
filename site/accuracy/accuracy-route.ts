import type { FastifyRequest } from 'fastify'
import { type Accuracy, accuracyOver } from '../../answers/accuracy/get-accuracy.ts'
import { published } from '../../api/dependencies.ts'
import { addresses } from '../../config/addresses.ts'
import { ParameterError } from '../../config/errors.ts'
import { chartToolkit } from '../charts/toolkit.ts'
import { FORMATS } from '../pages/elements.tsx'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { FILE_TYPES, type FileFormat, type PictureContent, pictureFile, rowsOf } from '../pictures/picture-files.ts'
import { OPEN_FILE } from '../pictures/routes.tsx'
import { ACCURACY_FILES, type AccuracyFile } from './accuracy-files.ts'
import { accuracyPage, PERIODS, type Period } from './accuracy-page.tsx'
import { shownRecord } from './figures-text.ts'

/** Adds GET /accuracy, the record of the forecasts as a page, with its files below it. They need no key. */
export const addAccuracyPage: AddPages = (pages, { directory, settings }) => {
  const { site_url } = addresses(settings)

  pages.get('/accuracy', OPEN_ROUTE, (request, reply) => {
    const period = periodOf(request)
    return sendOpenPage(request, reply, `/accuracy?days=${period}`, async ({ snapshot }) =>
      accuracyPage({ snapshot, directory, period, toolkit: await chartToolkit() }),
    )
  })

  for (const file of ACCURACY_FILES)
    for (const format of formatsOf(file))
      pages.get(`/accuracy/${file.name}.${format}`, OPEN_FILE, (request, reply) => {
        const period = periodOf(request)
        return request.server.openAnswers.send(request, reply, {
          key: `file /accuracy/${file.name}.${format}?days=${period}`,
          type: FILE_TYPES[format],
          headers: format === 'csv' ? { link: `<${file.name}.json?days=${period}>; rel="describedby"` } : {},
          make: async ({ snapshot }) => fileOf(file, format, accuracyOver(published(snapshot), period), site_url),
        })
      })
}

/** @throws ParameterError for a period that is not recorded */
function periodOf({ query }: Pick<FastifyRequest, 'query'>): Period {
  const { days = '30' } = query as { days?: unknown }
  const period = PERIODS.find((candidate) => String(candidate) === days)
  if (period !== undefined) return period
  throw ParameterError.of('days', `must be one of ${PERIODS.join(', ')}`)
}

const formatsOf = ({ chart }: AccuracyFile): readonly FileFormat[] => (chart ? FORMATS : ['csv', 'json'])

async function fileOf(file: AccuracyFile, format: FileFormat, record: Accuracy, site_url: string) {
  const { days, generated_at, simulated, recorded_since, reproduce, excluded } = record
  const content: PictureContent = {
    chart: file.chart?.(await chartToolkit(), shownRecord(record)) ?? null,
    rows: rowsOf(file.columns, file.rows(record)),
    sources: [],
    about: {
      days,
      recorded_since,
      source: 'the stored forecasts of this installation and the waits that its sources observed',
      reproduce,
      excluded,
    },
  }
  return pictureFile(format, content, {
    heading: file.title,
    subheading: `Forecasts of security waits, last ${days} days · ${generated_at.slice(0, 10)}`,
    title: `${file.title}, last ${days} days`,
    columns: file.columns,
    unit: 'minutes; shares are fractions of 1',
    identity: { days: String(days) },
    page: `${site_url}/accuracy?days=${days}`,
    file: (extension) => `${site_url}/accuracy/${file.name}.${extension}?days=${days}`,
    formats: formatsOf(file),
    made_at: generated_at,
    simulated,
  })
}
