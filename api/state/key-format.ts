import { createHmac, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Prefixes of API keys: `agent` for keys from self-registration, `live` for keys of paid tiers. */
export const KEY_PREFIXES = { agent: 'hs_agent_', live: 'hs_live_' } as const
export type KeyKind = keyof typeof KEY_PREFIXES

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const KEY_PATTERN = /^(?:hs_agent_|hs_live_)[0-9A-Za-z]{36}$/

/** The CRC-32 in base 62, six digits. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % 62]! + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** 30 uniformly random characters. Bytes of 248 and above are dropped, because they would favour the first letters. */
function randomCharacters(): string {
  let text = ''
  while (text.length < RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH * 2))
      if (byte < 248 && text.length < RANDOM_LENGTH) text += BASE62[byte % 62]
  }
  return text
}

/** A new key: prefix, 30 random base62 characters (178 bits), 6 characters of checksum over all before them. */
export function newKey(kind: KeyKind): string {
  const body = KEY_PREFIXES[kind] + randomCharacters()
  return body + checksum(body)
}

/** Whether a text has the form and checksum of a key; anything else is refused without a database lookup. */
export function isWellFormedKey(text: string): boolean {
  return KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** The value stored instead of a secret text: its HMAC-SHA256 under the installation's pepper, base64url. */
export function keyedHash(text: string, pepper: string): string {
  return createHmac('sha256', pepper).update(text).digest('base64url')
}
