import { expect, it } from 'vitest'
import { laneOfWord } from '../../../config/lanes.ts'
import { laneInName } from '../../../pipeline/parsing/lanes.ts'

it.each([
  ['Standard', 'standard'],
  ['General', 'standard'],
  ['Reg', 'standard'],
  ['TSA Pre✓', 'precheck'],
  ['TSA-Pre', 'precheck'],
  ['TSAPre', 'precheck'],
  ['TMP_PreCheck', 'precheck'],
  ['PreCheck OPEN Only', 'precheck'],
  ['9 Clear', 'clear'],
  ['FastTrack', 'priority'],
  ['all passengers', 'all'],
  ['Spot Saver', null],
  ['', null],
])('laneOfWord reads %s as %s', (word, lane) => {
  expect(laneOfWord(word)).toBe(lane)
})

it.each([
  ['IAH Terminal A North TSA PreCheck', 'IAH Terminal A North', 'precheck'],
  ['West Standard', 'West', 'standard'],
  ['Checkpoint 5 General', 'Checkpoint 5', 'standard'],
  ['Checkpoint 1 PreCheck', 'Checkpoint 1', 'precheck'],
  ['Security Terminal 5 FastTrack', 'Security Terminal 5', 'priority'],
  ['Premier', 'Premier', null],
  ['Checkpoint Main', 'Checkpoint Main', null],
  ['Checkpoint 1', 'Checkpoint 1', null],
])('laneInName splits %j into place and lane', (name, place, lane) => {
  expect(laneInName(name)).toEqual({ place, lane })
})
