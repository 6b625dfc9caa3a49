import { type Check, laneChange } from './define.ts'

/** Lanes that the source's previous capture of an airport still had; a closed lane that is still listed has not vanished. */
export const laneVanished: Check = laneChange('lane_vanished', 'Lanes are gone from its feed.', (before, now) =>
  before.filter((lane) => !now.includes(lane)),
)
