import type { Lane } from '../../../config/domain.ts'
import { type Queue, queue } from './queue.ts'

type MobiLane = [name: string, lane: Lane, laneName: string, scale: number]

function mobiLanes(iata: string, list: MobiLane[], terminalOf: (name: string) => string = () => ''): Queue[] {
  return list.map(([name, lane, laneName, scale], at) =>
    queue({
      iata,
      terminal: terminalOf(name),
      // Houston's names end with the lane, which is not part of the place.
      checkpoint: name.replace(/ (Standard|PreCheck|Premier)$/, ''),
      lane,
      scale,
      opens: at % 3 === 0 ? 3.5 : 4.5,
      closes: 21 + (at % 4) * 0.75,
      fields: { name, lane: laneName },
      may_hide: true,
    }),
  )
}

const standardAndPrecheck = (name: string, scale: number, laneNames: [string, string]): MobiLane[] => [
  [name, 'standard', laneNames[0], scale],
  [name, 'precheck', laneNames[1], scale],
]

export const MCO = mobiLanes('MCO', [
  ...standardAndPrecheck('West (Gates 1-59)', 19, ['General', 'PreCheck']),
  ...standardAndPrecheck('East (Gates 70-129)', 17, ['General', 'PreCheck']),
  ...standardAndPrecheck('South (Gates C230-C254)', 12, ['General', 'PreCheck']),
])

export const IAH = mobiLanes(
  'IAH',
  [
    ['IAH Terminal A North Standard', 'standard', 'Standard', 13],
    ['IAH Terminal A North PreCheck', 'precheck', 'PreCheck', 13],
    ['IAH Terminal A South Standard', 'standard', 'Standard', 12],
    ['IAH Terminal C North Premier', 'priority', 'Premier', 16],
    ['IAH Terminal C North PreCheck', 'precheck', 'PreCheck', 16],
    ['IAH Terminal C South Standard', 'standard', 'Standard', 16],
    ['IAH Terminal D Standard', 'standard', 'Standard', 15],
    ['IAH Terminal E Standard', 'standard', 'Standard', 14],
    ['IAH Terminal E PreCheck', 'precheck', 'PreCheck', 14],
  ],
  (name) => name.match(/Terminal ([A-E])/)?.[1] ?? '',
)

export const HOU = mobiLanes('HOU', standardAndPrecheck('HOU Checkpoint', 15, ['General', 'PreCheck']))

const DFW_LANES: Record<string, string> = {
  A12: 'GP',
  A21: 'GTP',
  A35: 'GP',
  B9: 'GTP',
  B30: 'GT',
  C11: 'GP',
  C20: 'GT',
  D18: 'GT',
  D22: 'GT',
  D30: 'GT',
  E8: 'GTP',
  E16: 'T',
  E18: 'GT',
  E33: 'GP',
}
const DFW_LANE_NAMES: Record<string, [Lane, string]> = {
  G: ['standard', 'General'],
  T: ['precheck', 'TSA Pre'],
  P: ['priority', 'Priority'],
}

export const DFW = mobiLanes(
  'DFW',
  Object.entries(DFW_LANES).flatMap(([name, lanes], at) =>
    [...lanes].map(
      (letter): MobiLane => [name, DFW_LANE_NAMES[letter]![0], DFW_LANE_NAMES[letter]![1], 9 + (at % 5) * 1.5],
    ),
  ),
)

/** Charlotte names every lane `main`; the attributes tell which lane it is. */
export const CLT = mobiLanes('CLT', [
  ...standardAndPrecheck('1', 14, ['main', 'main']),
  ...standardAndPrecheck('2', 17, ['main', 'main']),
  ...standardAndPrecheck('3', 13, ['main', 'main']),
])

export const CVG = mobiLanes('CVG', standardAndPrecheck('CVG Checkpoint', 12, ['general', 'pre']))

/** Lanes by the letter of a list below: G general, P PreCheck, R priority, C CLEAR. */
const ACI_LANES: Record<string, Lane> = { G: 'standard', P: 'precheck', R: 'priority', C: 'clear' }

type AciCheckpoint = [checkpoint: string, lanes: string, scale: number, opens: number, closes: number]

/** Miami and Baltimore list each lane of a checkpoint as a queue, whose name ends with the lane. */
function aciLanes(
  iata: string,
  laneNames: Record<string, string>,
  list: AciCheckpoint[],
  checkpointName = (name: string) => name,
): Queue[] {
  return list.flatMap(([name, lanes, scale, opens, closes]) =>
    [...lanes].map((letter) =>
      queue({
        iata,
        terminal: '',
        checkpoint: checkpointName(name),
        lane: ACI_LANES[letter]!,
        scale,
        opens,
        closes,
        fields: { name: `${name} ${laneNames[letter]}` },
      }),
    ),
  )
}

export const MIA: Queue[] = [
  ...aciLanes('MIA', { G: 'General', P: 'TSA-Pre', R: 'Priority', C: 'Clear' }, [
    ['1', 'RP', 14, 4, 21],
    ['2', 'GRP', 16, 3.5, 23],
    ['3', 'GR', 15, 5, 20],
    ['4', 'GR', 14, 4.5, 20],
    ['5', 'CGRP', 15, 3.5, 23],
    ['6', 'GR', 12, 5, 21],
    ['7', 'GR', 13, 4, 22],
    ['8', 'CGRP', 19, 3.5, 24],
    ['9', 'CGR', 14, 4, 23],
    ['10', 'GR', 12, 5, 19],
  ]),
  // The same list has a passport hall.
  queue({
    kind: 'immigration',
    iata: 'MIA',
    terminal: '',
    checkpoint: 'FIS',
    lane: 'all',
    scale: 24,
    opens: 4,
    closes: 24,
    fields: { name: 'FIS General' },
  }),
]

export const PHX: Queue[] = (
  [
    ['3', 'T3', 10, 3.5, 24],
    ['4', 'T4 Checkpoint A', 13, 4, 22],
    ['4', 'T4 Checkpoint B', 15, 0, 24],
    ['4', 'T4 Checkpoint C', 14, 4, 23],
    ['4', 'T4 Checkpoint D', 12, 4, 21],
  ] satisfies [string, string, number, number, number][]
).map(([terminal, checkpoint, scale, opens, closes]) =>
  queue({
    iata: 'PHX',
    terminal,
    checkpoint,
    lane: 'standard',
    scale,
    opens,
    closes,
    fields: { name: `${checkpoint} General` },
  }),
)

/** Two of Baltimore's names are codes for those on the signs. */
const BWI_NAMES: Record<string, string> = { 'Checkpoint BC': 'Checkpoint C', 'Checkpoint DE': 'Checkpoint D/E' }

export const BWI: Queue[] = aciLanes(
  'BWI',
  { G: 'General', P: 'TSA PreCheck', R: 'Priority', C: 'CLEAR' },
  [
    ['Checkpoint A', 'GRCP', 14, 3.5, 23],
    ['Checkpoint B', 'GRCP', 16, 4, 22.5],
    ['Checkpoint BC', 'GRCP', 13, 4, 21],
    ['Checkpoint DE', 'GRCP', 12, 3.5, 24],
  ],
  (name) => BWI_NAMES[name] ?? name,
)

type ZensorsJourney = [journey: string, name: string, lanes: ('standard' | 'precheck')[], scale: number, opens: number]

/** The widget's journeys: one per checkpoint, each with its own id. */
function zensorsLanes(iata: string, list: ZensorsJourney[]): Queue[] {
  return list.flatMap(([journey, checkpoint, lanes, scale, opens]) =>
    lanes.map((lane) =>
      queue({
        iata,
        terminal:
          checkpoint
            .match(/^T(\d)|Terminal (\w+)/)
            ?.slice(1)
            .find(Boolean) ?? '',
        checkpoint,
        lane,
        scale,
        opens,
        closes: opens === 0 ? 24 : 23,
        fields: { journey },
      }),
    ),
  )
}

const STANDARD_AND_PRECHECK: ZensorsJourney[2] = ['standard', 'precheck']

export const LAS = zensorsLanes('LAS', [
  ['t2K25H6KA', 'T1 - A/B Gates', STANDARD_AND_PRECHECK, 15, 3.5],
  ['tN8G8AV9D', 'T1 - C Gates', STANDARD_AND_PRECHECK, 17, 3.5],
  ['tGMD2ET8Y', 'T1 - C/D Gates', STANDARD_AND_PRECHECK, 18, 0],
  ['t0CSXP4SK', 'T3 - D/E Gates', STANDARD_AND_PRECHECK, 13, 0],
])

export const BOS = zensorsLanes('BOS', [
  ['t6CQ1P0Y3', 'Checkpoint 1: A Gates', STANDARD_AND_PRECHECK, 13, 3.5],
  ['tKK3PDVP9', 'Checkpoint 2: A Gates PreCheck Only', ['precheck'], 14, 4],
  ['tXT4B8KMX', 'Checkpoint 3: Gates B1 - B22', STANDARD_AND_PRECHECK, 16, 3.5],
  ['tF1JP9828', 'Checkpoint 4: Gates B23 - 40', STANDARD_AND_PRECHECK, 14, 3.5],
  ['tSGV88H0D', 'Checkpoint 5: Terminal C', STANDARD_AND_PRECHECK, 17, 3],
  ['tWEBCSW2Q', 'Checkpoint 6: All E Gates', ['standard'], 15, 5],
  ['tCLRGFHM9', 'Checkpoint 7: All E Gates', STANDARD_AND_PRECHECK, 18, 4],
])

type DeltaRow = [iata: string, section: string, name: string, lane: Lane, mirrors: string]

/** Queues of three hubs on Delta's page; where the airport publishes them too, both agree. */
export const DELTA: Queue[] = (
  [
    ['ATL', 'Domestic', 'Main', 'all', 'ATL/Domestic/MAIN/all'],
    ['ATL', 'Domestic', 'North', 'all', 'ATL/Domestic/NORTH/all'],
    ['ATL', 'Domestic', 'Lower North', 'all', 'ATL/Domestic/LOWER NORTH/all'],
    ['ATL', 'Domestic', 'South', 'precheck', 'ATL/Domestic/SOUTH/precheck'],
    ['ATL', 'International', 'Main', 'all', 'ATL/International/MAIN/all'],
    ['MSP', '', 'T1 North', 'all', 'MSP/T1/T1 North/all'],
    ['MSP', '', 'T1 South', 'precheck', 'MSP/T1/T1 South/precheck'],
    ['DTW', '', 'McNamara', 'all', 'DTW/McNamara//all'],
  ] satisfies DeltaRow[]
).map(([iata, section, checkpoint, lane, mirrors]) =>
  queue({
    iata,
    terminal: checkpoint.match(/^T\d\b/)?.[0] ?? section,
    checkpoint,
    lane,
    scale: 16,
    fields: { section },
    mirrors,
  }),
)
