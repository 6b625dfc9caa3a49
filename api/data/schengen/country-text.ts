import { z } from 'zod'
import { countryCode } from '../../../config/reference/countries.ts'

/** A country as callers write it: its code in any case, also EL and UK, or its name; read as the ISO code. */
export const countryText = z
  .string()
  .max(60, 'must be at most 60 characters')
  .transform((text, context) => {
    const code = countryCode(text)
    if (code !== null) return code
    context.addIssue('is not a known country: give its ISO 3166-1 code, like FR, or its name')
    return z.NEVER
  })
