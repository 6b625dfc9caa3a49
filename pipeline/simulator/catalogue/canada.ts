import { type Queue, queue } from './queue.ts'

function posts(iata: string, list: [checkpoint: string, scale: number][]): Queue[] {
  return list.map(([checkpoint, scale]) =>
    queue({
      iata,
      terminal: checkpoint.match(/^T\d/)?.[0] ?? '',
      checkpoint,
      lane: 'all',
      scale,
      opens: 3.5,
      closes: 24,
      fields: {},
    }),
  )
}

export const YYZ = posts('YYZ', [
  ['T1 Canada Level 3', 14],
  ['T1 Canada Level 2', 10],
  ['T1 International', 13],
  ['T1 United States', 20],
  ['T3 Canada', 11],
  ['T3 International', 12],
  ['T3 United States', 15],
])
export const YUL = posts('YUL', [
  ['Canada / International', 15],
  ['Canada / International B', 9],
  ['United States', 18],
])
export const YVR = posts('YVR', [
  ['Canada North', 11],
  ['Canada South', 10],
  ['International', 13],
  ['United States', 17],
])
export const YYC = posts('YYC', [
  ['Canada A', 11],
  ['Canada B', 12],
  ['United States', 15],
])
