import { provenance } from '../../../../config/facts.ts'
import type { Skill } from './define.ts'

const { basis, observed_at, freshness } = provenance

export const readFiguresHonestly: Skill = {
  name: 'read-figures-honestly',
  description:
    'Interpret basis, freshness, age, source and null in the answers of Holdshort correctly, and pass them on. Use it before telling anyone a wait, a prediction or a delay.',
  body: () => `# Read figures honestly

Every figure comes with its source and age. Pass them on with it: "14 minutes, measured 2 minutes ago by panynj", not "14 minutes".

- \`basis\`: ${basis.description}
- \`freshness\`: ${freshness.description} An expired figure is never a current wait.
- \`observed_at\`: ${observed_at.description} \`age_seconds\` counts from it.
- \`null\` means not known: neither zero nor "no wait". \`unavailable_reason\` says why: pass it on, and do not guess a value.
- A delay status of \`unknown\`, and \`supported: false\`, mean that nothing is known: not that there is no delay.
- A predicted or typical figure is not an observation: never call it the wait "now". Where it has \`low\` and \`high\`, its 80 % interval, give them too.
- Airports, terminals and lanes differ: do not use the figure of one for another.
- \`simulated: true\`: every figure is invented by a simulator. Do not use it for travel.
`,
}
