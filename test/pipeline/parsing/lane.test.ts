import { expect, it } from 'vitest'
import { laneInName } from '../../../pipeline/parsing/lane.ts'

it.each([
  ['IAH Terminal A North TSA PreCheck', 'IAH Terminal A North', 'precheck'],
  ['Checkpoint 1 PreCheck', 'Checkpoint 1', 'precheck'],
  ['Security Terminal 5 FastTrack', 'Security Terminal 5', 'priority'],
  ['Checkpoint 1', 'Checkpoint 1', null],
])('splits %s', (name, place, lane) => {
  expect(laneInName(name)).toEqual({ place, lane })
})
