import { type Queue, queue } from './queue.ts'

type Journey = [journey: string, name: string, lanes: ('standard' | 'precheck')[], scale: number, opens: number]

/** The widget's journeys: checkpoints, each with an id of its own. */
function journeys(iata: string, list: Journey[]): Queue[] {
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

const BOTH: Journey[2] = ['standard', 'precheck']

export const LAS = journeys('LAS', [
  ['t2K25H6KA', 'T1 - A/B Gates', BOTH, 15, 3.5],
  ['tN8G8AV9D', 'T1 - C Gates', BOTH, 17, 3.5],
  ['tGMD2ET8Y', 'T1 - C/D Gates', BOTH, 18, 0],
  ['t0CSXP4SK', 'T3 - D/E Gates', BOTH, 13, 0],
])

export const BOS = journeys('BOS', [
  ['t6CQ1P0Y3', 'Checkpoint 1: A Gates', BOTH, 13, 3.5],
  ['tKK3PDVP9', 'Checkpoint 2: A Gates PreCheck Only', ['precheck'], 14, 4],
  ['tXT4B8KMX', 'Checkpoint 3: Gates B1 - B22', BOTH, 16, 3.5],
  ['tF1JP9828', 'Checkpoint 4: Gates B23 - 40', BOTH, 14, 3.5],
  ['tSGV88H0D', 'Checkpoint 5: Terminal C', BOTH, 17, 3],
  ['tWEBCSW2Q', 'Checkpoint 6: All E Gates', ['standard'], 15, 5],
  ['tCLRGFHM9', 'Checkpoint 7: All E Gates', BOTH, 18, 4],
])
