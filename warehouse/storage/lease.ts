import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { link, lstat, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { makeFolder } from './files.ts'
import { readOrdinaryText } from './ordinary-file.ts'

/**
 * Leases: one process at a time holds a name in a folder. A lease is the file `<name>.<token>.lease`; the highest token
 * is the current one, and every new holder has a higher token than all before.
 *
 * No time of day is used. A holder touches its file every second; another process that sees no change for a while on its
 * own monotonic clock may take the lease over. A holder that ended is recognised by its process id at once.
 */
const LeaseHolder = z.object({
  pid: z.int(),
  host: z.string(),
  /** What the process does, e.g. `holdshort import`. */
  command: z.string(),
  /** When it took the lease, by its own clock; for people only. */
  since: z.string(),
})
export type LeaseHolder = z.infer<typeof LeaseHolder>

const LeaseFile = LeaseHolder.extend({
  /** Identifies machine, start of the machine, process namespace and start of the process; null where unknown. */
  process_identity: z.string().nullable(),
  released: z.boolean(),
})
type LeaseFile = z.infer<typeof LeaseFile>

export interface Lease {
  token: number
  /** Whether no other process has taken the lease over. */
  isCurrent: () => Promise<boolean>
  release: () => Promise<void>
}

export interface LeaseOptions {
  /** What this process does. */
  command?: string
  /** How long to wait for another holder, in milliseconds; 0 tries once. */
  waitMs: number
  /**
   * Whether a holder that still exists but has stopped touching its file may be replaced. Only for work that a replaced
   * holder cannot damage.
   */
  mayReplaceFrozen: boolean
}

/** A holder that does not touch its file for this long is frozen or gone. */
export const LEASE_EXPIRY_MS = 5_000
const TOUCH_MS = 1_000
const POLL_MS = 50
const MAX_POLL_MS = 500

/** What this process does, as its leases say. */
const thisCommand = () => `holdshort ${process.argv[2] ?? ''}`.trim()

/** Start of a process in clock ticks since the machine started; null where /proc does not tell or the process is gone. */
function startTicks(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program in parentheses, which may contain spaces; the 22nd is the start.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** The machine since its start and the process namespace: process ids mean the same only within both. */
function namespaceIdentity(): string | null {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return null
  }
}

function identityOf(pid: number): string | null {
  const namespace = namespaceIdentity()
  const ticks = startTicks(pid)
  return namespace && ticks ? `${namespace}/${pid}/${ticks}` : null
}

/** Whether the process of a lease exists: true and false are certain, null means that only its touches can tell. */
function processExists({ pid, process_identity }: LeaseFile): boolean | null {
  const namespace = namespaceIdentity()
  if (!namespace || !process_identity?.startsWith(`${namespace}/`)) return null
  return identityOf(pid) === process_identity
}

const leasePath = (folder: string, name: string, token: number) =>
  join(folder, `${name}.${String(token).padStart(8, '0')}.lease`)

async function tokensOf(folder: string, name: string): Promise<number[]> {
  const pattern = new RegExp(`^${name}\\.(\\d{8,15})\\.lease$`)
  const names = await readdir(folder).catch(() => [])
  return names.flatMap((file) => pattern.exec(file)?.[1] ?? []).map(Number)
}

async function newestLease(folder: string, name: string): Promise<{ token: number; file: LeaseFile } | null> {
  const token = Math.max(0, ...(await tokensOf(folder, name)))
  if (token === 0) return null
  const path = leasePath(folder, name, token)
  const text = await readOrdinaryText(path).catch(async (error: NodeJS.ErrnoException) => {
    const hasVanished = error.code === 'ENOENT' && (await lstat(path).catch(() => null)) === null
    return hasVanished ? null : ''
  })
  // A file that vanished was replaced by one with a higher token; one that cannot be read has an unknown holder.
  return text === null ? newestLease(folder, name) : { token, file: readLeaseFile(text) }
}

/**
 * The content of a lease file. A machine that lost its power can leave one that is empty, cut or damaged: then only touches tell
 * whether it is held.
 */
function readLeaseFile(text: string): LeaseFile {
  try {
    return LeaseFile.parse(JSON.parse(text))
  } catch {
    const holder = { pid: 0, host: 'unknown', command: 'unknown', since: 'unknown' }
    return { ...holder, process_identity: null, released: false }
  }
}

/** Creates a file with content, whole or not at all; false when it exists already. */
async function createWhole(path: string, content: string): Promise<boolean> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  await writeFile(temporary, content)
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Tells whether a holder has stopped touching its lease, from repeated looks on the monotonic clock. */
function frozenDetector(): (path: string) => Promise<boolean> {
  let seen: { path: string; touched: number; at: number } | null = null
  let unchangedMs = 0
  return async (path) => {
    const touched = (await stat(path).catch(() => null))?.mtimeMs ?? 0
    const at = performance.now()
    if (seen?.path === path && seen.touched === touched) {
      // A look after a long pause counts little: this process may have been frozen together with the holder.
      unchangedMs += Math.min(at - seen.at, MAX_POLL_MS * 2)
    } else unchangedMs = 0
    seen = { path, touched, at }
    return unchangedMs >= LEASE_EXPIRY_MS
  }
}

/**
 * Who holds a lease; null when nobody does. Where the process id does not tell, as for a process of another container, it
 * looks for a touch for five seconds.
 */
export async function leaseHolder(folder: string, name: string): Promise<LeaseHolder | null> {
  const newest = await newestLease(folder, name)
  if (!newest || newest.file.released) return null
  const exists = processExists(newest.file)
  if (exists !== null) return exists ? newest.file : null
  const path = leasePath(folder, name, newest.token)
  const touchedAt = async () => (await stat(path).catch(() => null))?.mtimeMs
  const first = await touchedAt()
  const isFrozen = frozenDetector()
  while (first !== undefined && (await touchedAt()) === first) {
    if (await isFrozen(path)) return null
    await sleep(POLL_MS)
  }
  return newest.file
}

/**
 * Takes a lease. Returns its holder when another process holds it and `waitMs` have passed. A process that takes a lease again and
 * again lets those take it that wait, so that none of them waits for ever.
 */
export async function takeLease(
  folder: string,
  name: string,
  options: LeaseOptions,
): Promise<{ lease: Lease } | { holder: LeaseHolder }> {
  await makeFolder(dirname(folder), basename(folder))
  await letOthersTake(folder, name)
  const until = performance.now() + options.waitMs
  const isFrozen = frozenDetector()
  const waiting = join(folder, `${name}.${process.pid}.${randomBytes(3).toString('hex')}.waiting`)
  try {
    for (let pause = POLL_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_MS)) {
      const newest = await newestLease(folder, name)
      if (!newest || newest.file.released || (await isGone(newest, folder, name, isFrozen, options))) {
        const lease = await createLease(folder, name, (newest?.token ?? 0) + 1, options.command ?? thisCommand())
        if (lease) return { lease }
        continue
      }
      // Where only touches tell whether the holder lives, there must be time to look for them.
      const graceMs = processExists(newest.file) === null ? LEASE_EXPIRY_MS + 2 * TOUCH_MS : 0
      if (performance.now() >= until + graceMs) return { holder: newest.file }
      await writeFile(waiting, '')
      await sleep(pause)
    }
  } finally {
    await rm(waiting, { force: true }).catch(() => undefined)
  }
}

/** How long a process that released a lease leaves it to one that waits: longer than a waiting process sleeps. */
const LEAVE_MS = MAX_POLL_MS + 2 * POLL_MS

/**
 * Where this process held the lease last and another one waits for it, waits until that one has taken it. What a process that was
 * killed while it waited has left is deleted; one that is alive says so again.
 */
async function letOthersTake(folder: string, name: string): Promise<void> {
  const pattern = new RegExp(`^${name}\\.(\\d+)\\.[0-9a-f]{6}\\.waiting$`)
  const others = (await readdir(folder).catch(() => [])).filter((file) => {
    const [, pid] = pattern.exec(file) ?? []
    return pid !== undefined && Number(pid) !== process.pid
  })
  const last = others.length > 0 ? await newestLease(folder, name) : null
  if (last?.file.pid !== process.pid || !last.file.released) return
  const isStillFree = async () => Math.max(0, ...(await tokensOf(folder, name))) === last.token
  for (const until = performance.now() + LEAVE_MS; await isStillFree(); await sleep(POLL_MS / 2)) {
    if (performance.now() < until) continue
    await Promise.all(others.map((file) => rm(join(folder, file), { force: true })))
    return
  }
}

async function isGone(
  { token, file }: { token: number; file: LeaseFile },
  folder: string,
  name: string,
  isFrozen: (path: string) => Promise<boolean>,
  { mayReplaceFrozen }: LeaseOptions,
): Promise<boolean> {
  const exists = processExists(file)
  if (exists === false) return true
  return (await isFrozen(leasePath(folder, name, token))) && (mayReplaceFrozen || exists === null)
}

/** Creates the lease with a token; null when another process was faster. */
async function createLease(folder: string, name: string, token: number, command: string): Promise<Lease | null> {
  const path = leasePath(folder, name, token)
  const holder = { pid: process.pid, host: hostname(), command, since: new Date().toISOString() }
  const file: LeaseFile = { ...holder, process_identity: identityOf(process.pid), released: false }
  if (!(await createWhole(path, JSON.stringify(file)))) return null
  for (const older of await tokensOf(folder, name))
    if (older < token) await rm(leasePath(folder, name, older), { recursive: true, force: true })
  const touch = () => {
    const now = new Date()
    void utimes(path, now, now).catch(() => undefined)
  }
  const touching = setInterval(touch, TOUCH_MS).unref()
  const isCurrent = async () => Math.max(0, ...(await tokensOf(folder, name))) === token
  return {
    token,
    isCurrent,
    async release() {
      clearInterval(touching)
      if (!(await isCurrent().catch(() => false))) return
      // The file stays, so that the next token is higher.
      const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
      const released: LeaseFile = { ...file, released: true }
      await writeFile(temporary, JSON.stringify(released))
      await rename(temporary, path)
    },
  }
}
