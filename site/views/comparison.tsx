import type { Comparison } from '../../answers/questions/compare-airports.ts'
import type { QueryContext } from '../../answers/questions/define.ts'
import { statementOf } from '../airport/card.ts'
import { drawComparison } from '../airport/drawn.ts'
import { Figure } from '../airport/figure.tsx'
import { ComparisonTable } from '../compare/comparison-table.tsx'
import { requestOf, waitOf } from './request.ts'
import { pictureOf } from './tree.ts'

/** Airports side by side: the table of the page that compares them, and their waits on one scale. */
export async function comparisonView(comparison: Comparison, context: QueryContext) {
  const cards = comparison.airports.map(({ airport }) => {
    const request = requestOf(airport, context)
    return { request, card: statementOf(request, waitOf(request)) }
  })
  return pictureOf(
    <>
      <ComparisonTable cards={cards} comparison={comparison} />
      <Figure id="waits" chart={await drawComparison(comparison)} address={null} />
    </>,
  )
}
