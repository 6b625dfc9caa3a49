import { z } from 'zod'
import { referenceFile } from './define-reference.ts'
import { Evidence } from './evidence.ts'

export const PeakVolume = z.strictObject({
  holiday: z.string().describe('A US federal holiday, named as in the file of peaks.'),
  day_offset: z.int().describe('Days from the holiday: −1 is its eve.'),
  volume_ratio: z
    .number()
    .positive()
    .describe(
      'Median over the years of the people screened on that day over the median of the same weekday 2 to 9 weeks before.',
    ),
  lowest: z.number().positive(),
  highest: z.number().positive(),
  years: z.array(z.int()).min(3),
  ...Evidence.shape,
})
export type PeakVolume = z.infer<typeof PeakVolume>

/** The increase in people screened at US checkpoints on the days around the federal holidays. Only days with clearly more are listed. */
export const PEAK_VOLUMES = referenceFile('peak-volumes', PeakVolume)
