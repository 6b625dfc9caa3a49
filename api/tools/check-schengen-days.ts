import { checkSchengenDays, type SchengenDays } from '../../answers/questions/check-schengen-days.ts'
import { dayCheckText } from '../../answers/schengen/advice.ts'
import { defineTool } from './define.ts'

export const checkSchengenDaysTool = defineTool<SchengenDays>({
  name: 'check_schengen_days',
  title: 'Schengen 90/180 allowance and overstay projection',
  description:
    'Whether a stay in the Schengen area keeps to 90 days in 180: use it before a trip is booked or while one lasts. Give all stays, past, current (the exit may be open) and booked, and a planned stay. Finds every day over 90 and says what to change. For short stays only, without residence permits, long-stay visas or bilateral agreements.',
  topics: ['schengen'],
  example: {
    trips: [{ entry: '2026-06-01', exit: '2026-07-15' }],
    on: '2026-11-21',
    planned: { entry: '2026-12-20', days: 20 },
  },
  query: checkSchengenDays,
  limits: { window: 10, membership: 10, not_counted: 6 },
  text: dayCheckText,
})
