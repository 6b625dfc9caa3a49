import { z } from 'zod'

/** Groups of inputs that a run can leave out, to measure what each is worth. `features.ts` says which inputs are in each. */
export const INPUT_GROUPS = [
  'clock',
  'weekday',
  'holidays',
  'horizon',
  'climatologies',
  'same_hour',
  'level',
  'recent',
  'last_weeks',
] as const
export const InputGroup = z.enum(INPUT_GROUPS, { error: `must be one of ${INPUT_GROUPS.join(', ')}` })
export type InputGroup = z.infer<typeof InputGroup>
