import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isoUtc, UtcInstant } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { jsonBytes, type ObjectStore, parseObject, replaceObject } from '../objects/object-store.ts'

/**
 * The lead: one pipeline of all machines writes to the bucket. It is the object `lead.json`, which its holder rewrites every
 * few seconds, each time only if it still has the version of its last beat. Another pipeline that sees no beat for a while,
 * on its own monotonic clock, takes the lead with the next epoch. The epoch is the fencing token of all that a leader
 * writes (see `Replica.takeOver`), so that a leader that was frozen cannot write when it wakes. No time of day is used.
 */
const KEY = 'lead.json'
const BEAT_MS = 3_000
/** A leader that could not beat for this long gives up, and another one may take its place. */
export const LEAD_EXPIRY_MS = 12_000
const POLL_MS = 1_500
const REQUEST_MS = 4_000

export const LeadHolder = z.strictObject({
  /** Host name of the machine. */
  machine: z.string(),
  pid: z.int(),
  command: z.string(),
  since: UtcInstant,
})
export type LeadHolder = z.infer<typeof LeadHolder>

const LeadFile = z.strictObject({
  format: z.literal(1),
  epoch: z.int().min(1),
  holder: LeadHolder,
  beat: z.int().min(0),
  released: z.boolean(),
})
type LeadFile = z.infer<typeof LeadFile>

export interface Lead {
  /** Higher than that of every earlier leader. */
  epoch: number
  /** Aborts when the lead is lost; its reason is an error that says why. */
  lost: AbortSignal
  /** Gives the lead up, so that another machine need not wait for it to expire. */
  release: () => Promise<void>
}

export interface LeadOptions {
  command: string
  /** How long to wait for another holder, in milliseconds. */
  wait_ms?: number
  signal?: AbortSignal
}

async function readLead(store: ObjectStore): Promise<{ file: LeadFile; etag: string } | null> {
  const found = await store.get(KEY, { within_ms: REQUEST_MS })
  return found && { file: parseObject(store, KEY, found, LeadFile), etag: found.etag }
}

/** Who holds the lead, as far as the bucket tells; null when nobody does. */
export async function leadHolder(store: ObjectStore): Promise<(LeadHolder & { epoch: number }) | null> {
  const found = await readLead(store)
  if (!found || found.file.released) return null
  return Object.assign({}, found.file.holder, { epoch: found.file.epoch })
}

/** The leads of this process that are over although nobody has taken them: nothing acts under them any more. */
const ended = new WeakMap<ObjectStore, Set<number>>()

/**
 * Takes the lead, after waiting for its holder to release it or to stop beating. Returns the holder when the time is over.
 * A store that cannot be reached is waited for.
 */
export async function takeLead(
  store: ObjectStore,
  { command, wait_ms = Number.POSITIVE_INFINITY, signal }: LeadOptions,
): Promise<{ lead: Lead } | { holder: LeadHolder | null }> {
  const until = performance.now() + wait_ms
  const holder: LeadHolder = { machine: hostname(), pid: process.pid, command, since: isoUtc(Date.now()) }
  let seen = null as { etag: string; at: number } | null
  let unchangedMs = 0
  let current: LeadHolder | null = null
  for (;;) {
    signal?.throwIfAborted()
    try {
      const found = await readLead(store)
      const at = performance.now()
      current = found && !found.file.released ? found.file.holder : null
      if (found && seen?.etag === found.etag) {
        // A look after a long pause counts little: this process may have been frozen together with the holder.
        unchangedMs += Math.min(at - seen.at, 2 * POLL_MS)
      } else unchangedMs = 0
      seen = found && { etag: found.etag, at }
      const isFree = !found || found.file.released || ended.get(store)?.has(found.file.epoch) === true
      if (isFree || unchangedMs >= LEAD_EXPIRY_MS) {
        const epoch = (found?.file.epoch ?? 0) + 1
        const file: LeadFile = { format: 1, epoch, holder, beat: 0, released: false }
        const precondition = found ? { etag: found.etag } : 'absent'
        const etag = await replaceObject(store, KEY, jsonBytes(file), precondition, { within_ms: REQUEST_MS })
        if (etag !== null) return { lead: keepLead(store, file, etag) }
        continue
      }
    } catch (error) {
      if (!(error instanceof HoldshortError) || error.code !== 'STORE_UNREACHABLE') throw error
      if (performance.now() >= until) throw error
    }
    if (performance.now() >= until) return { holder: current }
    await sleep(POLL_MS, undefined, { ...(signal && { signal }) }).catch(() => undefined)
  }
}

/** Beats until the lead is released or lost. */
function keepLead(store: ObjectStore, first: LeadFile, firstEtag: string): Lead {
  const lost = new AbortController()
  const { epoch } = first
  let file = first
  let etag = firstEtag
  let isReleased = false
  let beatAt = performance.now()
  let beating: Promise<void> = Promise.resolve()
  const lose = (reason: string) => {
    clearInterval(timer)
    const epochs = ended.get(store) ?? new Set()
    ended.set(store, epochs.add(epoch))
    lost.abort(new HoldshortError('WRITE_FENCED', `this pipeline no longer leads: ${reason}`))
  }
  /** Writes the file if it is still this leader's; false when another one has the lead. */
  const write = async (next: LeadFile): Promise<boolean> => {
    const written = await replaceObject(store, KEY, jsonBytes(next), { etag }, { within_ms: REQUEST_MS })
    if (written !== null) {
      file = next
      etag = written
      return true
    }
    // An earlier beat whose answer was lost may have been written.
    const found = await readLead(store)
    if (found?.file.epoch !== epoch) return false
    etag = found.etag
    return true
  }
  const beat = async () => {
    if (isReleased || lost.signal.aborted) return
    try {
      const next: LeadFile = Object.assign({}, file, { beat: file.beat + 1 })
      if (!(await write(next))) return lose('another machine has taken the lead')
      beatAt = performance.now()
    } catch (error) {
      if (performance.now() - beatAt > LEAD_EXPIRY_MS) lose((error as Error).message)
    }
  }
  const timer = setInterval(() => {
    beating = beating.then(beat)
  }, BEAT_MS)
  timer.unref()
  return {
    epoch,
    lost: lost.signal,
    release: async () => {
      isReleased = true
      clearInterval(timer)
      await beating
      if (lost.signal.aborted) return
      await write(Object.assign({}, file, { released: true })).catch(() => undefined)
    },
  }
}
