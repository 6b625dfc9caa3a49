import { tierTable } from '../../config/tiers.ts'
import type { Tier } from '../../config/vocabulary.ts'

export type Term = [label: string, text: string]

/** The rows of the table of tiers without the price, and what else is promised. */
export function PlanTerms({ tier, promised = [] }: { tier: Tier; promised?: Term[] }) {
  const rows = tierTable().filter(({ label }) => label !== 'Price a month')
  const terms = [...rows.map(({ label, cells }): Term => [label, cells[tier]]), ...promised]
  return (
    <dl>
      {terms.map(([label, text]) => (
        <div>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
