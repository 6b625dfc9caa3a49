import { briefOf, DepartureBrief } from '../../answers/departure/departure-brief.ts'
import { getLeaveBy } from '../../answers/departure/get-leave-by.ts'
import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import { departureText } from '../../answers/texts/departure-text.ts'
import { departureView } from '../views/views.ts'
import { defineTool } from './define.ts'

export const getBestTimeToFlyTool = defineTool<LeaveBy, DepartureBrief>({
  name: 'get_best_time_to_fly',
  title: 'When to leave for a flight',
  description:
    'When to leave for a flight, from the door to the gate, for “when must I leave?” and “will I make it?”: the probability of catching it, the main risk and what would help. Counts the travel, bag drop, security, passport controls, EES, the walk. Reaches 366 days: forecast (24 hours; Enterprise 7 days), then the usual pattern. Delays of the flight are not counted.',
  topics: ['leave'],
  example: { iata: 'JFK', departure: 'tomorrow 17:30', destination: 'ZRH', bags: true, travel_minutes: 45 },
  query: getLeaveBy,
  brief: { output: DepartureBrief, shorten: briefOf },
  view: departureView,
  limits: { assumed: 5, what_if: 5 },
  text: departureText,
})
