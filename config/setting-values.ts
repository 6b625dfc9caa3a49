import { z } from 'zod'
import { isLicenceId, LICENCE_IDS, type LicenceId } from './licences.ts'
import { networkList } from './networks.ts'

/** The kinds of value that settings have, as texts of environment variables. */

/** A number in digits, as people write it, with or without a fraction: not 1e3, 0x10 or nothing at all. */
export const isPlainNumber = (text: string): boolean => /^\d{1,16}(\.\d{1,16})?$/.test(text)

const readNumber = (text: unknown) => (typeof text === 'string' && isPlainNumber(text) ? Number(text) : Number.NaN)

/** Every number has both bounds: a timer of a month and more would fire at once. */
export function number(min: number, max: number, message = `must be a number from ${min} to ${max}`) {
  return z.preprocess(readNumber, z.number(message).min(min, message).max(max, message))
}

export function wholeNumber(min: number, max: number, message = `must be a whole number from ${min} to ${max}`) {
  return z.preprocess(readNumber, z.number(message).int(message).min(min, message).max(max, message))
}

export const port = wholeNumber(0, 65_535, 'must be a port number, 0 to 65535')
export const httpUrl = z.url({ protocol: /^https?$/ })
export const DAY_SECONDS = 86_400
export const days = number(0.01, 36_500)
export const bytes = wholeNumber(1, 1e15)
export const GB = 1_073_741_824
export const commaSeparated = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

export function areNetworks(networks: string[]): boolean {
  try {
    networkList(networks)
    return true
  } catch {
    return false
  }
}

/** `source=licence` pairs, as a map. */
export const grantedLicences = commaSeparated
  .refine(
    (pairs) => pairs.every((pair) => /^[a-z0-9-]+=/.test(pair) && isLicenceId(pair.slice(pair.indexOf('=') + 1))),
    `must be pairs like import=CC-BY-4.0, separated by commas; the licences are ${LICENCE_IDS.join(', ')}`,
  )
  .transform((pairs) => new Map(pairs.map((pair) => pair.split('=') as [string, LicenceId])))

export const areOrigins = (origins: string[]) =>
  origins.every((text) => URL.canParse(text) && new URL(text).origin === text)

/** A value that Stripe issues, known by its beginning. */
export const stripeValue = (beginning: string) =>
  z.string().startsWith(beginning, `must begin with ${beginning}`).optional()
export const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ })
export const text = z.string().min(1)

/** What is wrong with the place of a store; null when nothing is. */
function faultOfStore(place: string): string | null {
  if (place === 'folder') return null
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(place) ?? []
  if (bucket === undefined) return 'must be folder, or s3://bucket/prefix'
  if (bucket.length < 3 || bucket.length > 63)
    return `has the bucket "${bucket}" of ${bucket.length} characters; the name of a bucket has 3 to 63`
  if (!/^[a-z0-9][a-z0-9.-]*[a-z0-9]$/.test(bucket))
    return `has the bucket "${bucket}"; the name of a bucket has small letters, digits, hyphens and dots, and begins and ends with a letter or digit`
  if (!/^[A-Za-z0-9._/-]*$/.test(prefix))
    return `has the prefix "${prefix}"; a prefix has letters, digits, dots, hyphens, underscores and slashes`
  return null
}

/** Where tables and files are: `folder`, or a prefix of a bucket. */
export const storePlace = z.string().superRefine((place, context) => {
  const message = faultOfStore(place)
  if (message !== null) context.addIssue({ code: 'custom', message })
})
