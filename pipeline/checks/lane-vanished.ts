import { type Check, laneChange } from './define-check.ts'

/** Notes lanes that only the source's previous capture of an airport had. A closed lane that is still listed has not vanished. */
export const laneVanished: Check = laneChange('lane_vanished', 'Lanes are gone from the feed.', (before, now) =>
  before.filter((lane) => !now.includes(lane)),
)
