import { z } from 'zod'
import { Iata } from '../../../config/domain.ts'

/** People type codes in any case. */
export const airportArgument = z.string().trim().toUpperCase().pipe(Iata)

/** A choice between a few words. */
export const choice = <const Words extends [string, ...string[]]>(words: Words) =>
  z.enum(words, `must be ${words.join(' or ')}`)
