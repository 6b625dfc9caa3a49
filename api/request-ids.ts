import { randomFillSync } from 'node:crypto'

const BATCH = 256
const BYTES = 16
const LENGTH = 36
const DASH = '-'.charCodeAt(0)
const HEX = Buffer.from('0123456789abcdef')
/** Bytes of an id before which a dash stands. */
const AFTER_DASH = new Set([4, 6, 8, 10])

const random = Buffer.alloc(BATCH * BYTES)
const letters = Buffer.alloc(BATCH * LENGTH)
let text = ''
let next = BATCH

function makeBatch(): void {
  randomFillSync(random)
  let at = 0
  for (let byte = 0; byte < random.length; byte += 1) {
    const position = byte % BYTES
    let value = random[byte]!
    // Version 4 and variant 10 (RFC 9562, 5.4).
    if (position === 6) value = (value & 0x0f) | 0x40
    if (position === 8) value = (value & 0x3f) | 0x80
    if (AFTER_DASH.has(position)) letters[at++] = DASH
    letters[at++] = HEX[value >> 4]!
    letters[at++] = HEX[value & 0x0f]!
  }
  text = letters.toString('latin1')
  next = 0
}

/**
 * A random UUID, version 4, in small letters. They are made 256 at a time: `crypto.randomUUID` joins each from twenty pieces,
 * which Node joins again when it writes the head of the answer, and that takes a twentieth of a short answer.
 */
export function newRequestId(): string {
  if (next === BATCH) makeBatch()
  const from = next++ * LENGTH
  return text.slice(from, from + LENGTH)
}
