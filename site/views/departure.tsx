import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import type { QueryContext } from '../../answers/questions/define.ts'
import { Heading } from '../airport/airport-page.tsx'
import { drawCurve } from '../airport/drawn.ts'
import { LeaveByAnswer } from '../airport/leave-by-form.tsx'
import { requestOf } from './request.ts'
import { pictureOf } from './tree.ts'

/** The plan of a departure as on the page of its airport. */
export async function departureView(plan: LeaveBy, context: QueryContext) {
  const chart = await drawCurve(plan, context.now)
  return pictureOf(
    <>
      <Heading {...requestOf(plan.airport, context)} />
      <LeaveByAnswer answer={plan} chart={chart} values={null} />
    </>,
  )
}
