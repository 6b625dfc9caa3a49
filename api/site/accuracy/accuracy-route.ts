import { ParameterError } from '../../../config/errors.ts'
import { OPEN_ROUTE } from '../pages/open-answers.ts'
import { sendOpenPage } from '../pages/open-page.tsx'
import type { AddPages } from '../pages/page-scope.tsx'
import { accuracyPage, PERIODS } from './accuracy-page.tsx'

/** Adds GET /accuracy: the record of the forecasts as a page. It needs no key. */
export const addAccuracyPage: AddPages = (pages, { directory }) => {
  pages.get('/accuracy', OPEN_ROUTE, (request, reply) => {
    const { days = '30' } = request.query as { days?: unknown }
    const period = PERIODS.find((one) => String(one) === days)
    if (period === undefined)
      throw new ParameterError([{ parameter: 'days', message: `must be one of ${PERIODS.join(', ')}` }])
    return sendOpenPage(request, reply, `/accuracy?days=${period}`, ({ snapshot }) =>
      accuracyPage({ snapshot, directory, period }),
    )
  })
}
