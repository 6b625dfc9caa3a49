import { provenance } from '../../../../config/facts.ts'
import type { Skill } from './define.ts'

const { basis, observed_at, freshness } = provenance

export const readFiguresHonestly: Skill = {
  name: 'read-figures-honestly',
  description:
    'Read basis, freshness, age, source and null in the answers of Holdshort rightly, and pass them on. Use it before telling anyone a wait, a prediction or a delay.',
  body: () => `# Read figures honestly

Every figure says where it comes from. Pass that on with it: "14 minutes, measured 2 minutes ago by panynj", not "14 minutes".

- \`basis\`: ${basis.description}
- \`freshness\`: ${freshness.description} An expired figure is never a current wait.
- \`observed_at\`: ${observed_at.description} \`age_seconds\` counts from it.
- \`null\` is not known: neither zero nor "no wait". \`unavailable_reason\` says why; say so too, and do not fill it in.
- A delay status of \`unknown\`, and \`supported: false\`, mean that nothing is known: not that there is no delay.
- A predicted or typical figure is no observation: never say "now" of it. Where \`low\` and \`high\` stand beside it, its 80 % interval, give them too.
- Airports, terminals and lanes are not alike: do not carry a figure of one over to another.
- \`simulated: true\`: every figure is invented by a simulator. Nobody may travel by it.
`,
}
