import { type Check, laneChange } from './define.ts'

/** Lanes that the source's previous capture of an airport did not have: often a new name for an old one. */
export const laneAppeared: Check = laneChange('lane_appeared', 'Lanes are new in its feed.', (before, now) =>
  now.filter((lane) => !before.includes(lane)),
)
