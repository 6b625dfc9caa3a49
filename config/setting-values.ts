import { z } from 'zod'
import { faultOfGrants, grantsOf } from './licence-grants.ts'
import { networkList } from './networks.ts'

/** The kinds of value that settings have, as texts of environment variables. */

/** A number in digits, as people write it, with or without a fraction: not 1e3, 0x10 or nothing at all. */
export const isPlainNumber = (text: string): boolean => /^\d{1,16}(\.\d{1,16})?$/.test(text)

const readNumber = (text: unknown) => (typeof text === 'string' && isPlainNumber(text) ? Number(text) : Number.NaN)

/** Every number has both bounds: a timer of a month and more would fire at once. */
export function number(min: number, max: number) {
  const message = `must be a number from ${min} to ${max}`
  return z.preprocess(readNumber, z.number(message).min(min, message).max(max, message))
}

export function wholeNumber(min: number, max: number, message = `must be a whole number from ${min} to ${max}`) {
  return z.preprocess(readNumber, z.number(message).int(message).min(min, message).max(max, message))
}

export const port = wholeNumber(0, 65_535, 'must be a port number, 0 to 65535')
export const DAY_SECONDS = 86_400
export const days = number(0.01, 36_500)
/** Less than a megabyte was meant in another unit, and would delete everything. */
export const bytes = wholeNumber(1_000_000, 1e15)
export const GB = 1_073_741_824
export const commaSeparated = z
  .string()
  .default('')
  // A comma at the end is how many programs write lists; an entry that is empty elsewhere was meant to be something.
  .transform((text) => (text === '' ? [] : text.replace(/,$/, '').split(',')))
  .transform((parts) => parts.map((part) => part.trim()))
  .refine((parts) => !parts.includes(''), 'must not have an empty entry before or between its commas')

/** Networks as `parse` reads them, which throws an Error for others. */
export const networks = (parse: (networks: string[]) => unknown = networkList) =>
  commaSeparated.superRefine((list, context) => {
    try {
      parse(list)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })

/** `source=licence` pairs, as a map. */
export const grantedLicences = commaSeparated
  .superRefine((pairs, context) => {
    const message = faultOfGrants(pairs)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
  .transform(grantsOf)

/** Whether texts are origins as a browser sends them; a `*` in one would match nothing. */
export const areOrigins = (origins: string[]) =>
  origins.every((text) => /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text)

export const text = z.string().min(1)
/** A value for a header or a signed request. */
export const word = z.string().regex(/^[\x21-\x7e]+$/, 'must be ASCII characters without white space')

/** A value that Stripe issues, known by its beginning. */
export const stripeValue = (beginning: string) =>
  word.regex(new RegExp(`^${beginning}.`), `must begin with ${beginning} and go on`).optional()

/** The fault of the place of a store; null without one. */
function faultOfStore(place: string): string | null {
  if (place === 'folder') return null
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(place) ?? []
  if (bucket === undefined) return 'must be folder, or s3://bucket/prefix'
  if (bucket.length < 3 || bucket.length > 63)
    return `has the bucket "${bucket}" of ${bucket.length} characters; the name of a bucket has 3 to 63`
  if (!/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/.test(bucket))
    return `has the bucket "${bucket}"; the name of a bucket has small letters, digits, hyphens and dots, and begins and ends with a letter or digit`
  if (/\.\.|\.-|-\./.test(bucket) || /^[\d.]+$/.test(bucket))
    return `has the bucket "${bucket}"; the name of a bucket has no dot beside a dot or hyphen, and is no IP address`
  if (/(?:^|\/)\.{0,2}(?:\/|$)/.test(prefix.replace(/\/$/, '')) && prefix !== '')
    return `has the prefix "${prefix}"; the parts between its slashes are not empty, "." or ".."`
  if (!/^[A-Za-z0-9._/-]*$/.test(prefix))
    return `has the prefix "${prefix}"; a prefix has letters, digits, dots, hyphens, underscores and slashes`
  return null
}

/** Place of tables and files: `folder`, or a prefix of a bucket. */
export const storePlace = z.string().superRefine((place, context) => {
  const message = faultOfStore(place)
  if (message !== null) context.addIssue({ code: 'custom', message })
})
