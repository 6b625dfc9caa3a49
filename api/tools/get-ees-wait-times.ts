import { type BorderWaits, getEesWaitTimes } from '../../answers/questions/get-ees-wait-times.ts'
import { borderWaitsText } from '../../answers/texts/border-waits-text.ts'
import { defineTool } from './define.ts'

export const getEesWaitTimesTool = defineTool<BorderWaits>({
  name: 'get_ees_wait_times',
  title: 'Border waits at Schengen airports now',
  description:
    'Current waits at border control of Schengen airports (EU Entry/Exit System), entry and exit apart: use it before a crossing or a short connection. Hardly any airport publishes these waits (Zurich does): null means not known, never no queue. `past_figures` are dated quotes from pages, not current.',
  topics: ['ees', 'border', 'passport', 'immigration'],
  example: { iata: 'ZRH' },
  query: getEesWaitTimes,
  limits: { publishers: 3, past_figures: 2, 'ees.facts': 3, airports: 4 },
  pages: { list: 'airports', rows: 40 },
  text: borderWaitsText,
})
