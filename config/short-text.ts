import { z } from 'zod'
import { isPlainText, MAX_NAME_CHARACTERS, NOT_PLAIN } from './untrusted-text.ts'

/** A short text of a caller: trimmed, in NFC, bounded and plain. */
export const shortText = (max = MAX_NAME_CHARACTERS) =>
  z.string().trim().normalize('NFC').max(max).refine(isPlainText, NOT_PLAIN)
