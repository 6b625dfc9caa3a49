import { type Check, laneChange } from './define-check.ts'

/** Notes lanes that the source's previous capture of an airport did not have: often a lane with a new name. */
export const laneAppeared: Check = laneChange('lane_appeared', 'Lanes are new in the feed.', (before, now) =>
  now.filter((lane) => !before.includes(lane)),
)
