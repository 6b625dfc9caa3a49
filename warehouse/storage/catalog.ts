import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { HoldshortError } from '../../config/errors.ts'
import { createQueue } from '../../config/work-queue.ts'
import { openDuckdb, withConnection, withTransaction } from './duckdb.ts'
import { asDiskFull, READ_ONLY_REMEDY } from './files.ts'

/** The access of a piece of work to the catalog. */
export type Access = 'read' | 'write'

/** The name under which every statement finds the tables. */
export const CATALOG = 'warehouse'

/** The holder of a catalog. */
export interface CatalogHolder {
  /** The holder in words, for the log and for errors. */
  text: string
  /** The program, or the command of ours, without the machine it runs on. */
  name: string
  /** Its id on its machine; null if unknown. */
  pid: number | null
  /** Its start, by its operating system; null if unknown. */
  since: string | null
}

/** The place of the tables, and how the engine gets them. There is one for a file, and one for DuckLake. */
export interface CatalogPlace {
  /** Two places with the same key are the same catalog. */
  key: string
  /**
   * Attaches the catalog as `warehouse`; false while another process holds it. `onWanted` is called when another process waits for it.
   * @throws HoldshortError WAREHOUSE_CORRUPT, WAREHOUSE_FOREIGN, WAREHOUSE_LOG_MISMATCH, WORLD_MISMATCH
   */
  attach: (connection: DuckDBConnection, access: Access, onWanted: () => void) => Promise<boolean>
  /** Folders that the engine must reach to read the tables, besides the attached file. */
  folders?: readonly string[]
  /** Called on each connection before it uses the attached catalog. */
  prepare?: (connection: DuckDBConnection) => Promise<void>
  /** Tidies the attached catalog: its log, its small files, its old versions. No transaction may enclose it. */
  checkpoint: (connection: DuckDBConnection) => Promise<void>
  /** Called when the catalog is no longer attached. */
  detached?: () => Promise<void>
  /** Gives an error of the engine its code, and says whether the attachment cannot be used any more. */
  asError?: (error: unknown) => { error: unknown; isBroken: boolean }
  /** The holder of the catalog; null if unknown. */
  holder: () => CatalogHolder | null
  /** Whether an attached catalog keeps other processes out. */
  isExclusive: boolean
}

/** An attached catalog of this process. Work of several callers shares one attachment. */
export interface Catalog {
  /** Runs work on a connection of its own whose default catalog is the warehouse. */
  read: <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>
  /** The same for work that changes rows: one piece of it at a time. */
  write: <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>
  /** Runs work on a connection without the warehouse. */
  without: <T>(work: (connection: DuckDBConnection) => Promise<T>) => Promise<T>
  /** Waits for the work under way, begins no other, and lets go of the catalog; returns whether no other caller has it open. */
  close: () => Promise<boolean>
  /** Tidies the catalog, within work that changes rows. */
  checkpoint: (connection: DuckDBConnection) => Promise<void>
  /** The holder that has kept work of this process waiting for some seconds; null while nothing waits. */
  waitsFor: () => CatalogHolder | null
}

export interface CatalogOptions {
  /** How long to wait for another process, milliseconds. @default for ever */
  waitMs?: number
  /** How long a wait lasts before it is reported, milliseconds. @default 5 seconds */
  noticeMs?: number
  /** Called once for each wait that is reported, with who holds the catalog; and with null when it ends. */
  onWait?: (holder: string | null) => void
}

/** Others wait for the catalog by trying again this often. */
const RETRY_MS = 20
const MAX_RETRY_MS = 30
/** After this long without a pause the catalog is released, so that others get it. */
const MAX_HOLD_MS = 1_000
/** How long it is then left to others: longer than they sleep between two tries. */
const YIELD_MS = MAX_RETRY_MS + 20
/** An idle catalog stays attached for this long, because one piece of work often follows another. */
const IDLE_MS = 40
const NOTICE_MS = 5_000

/** The engine has closed a database after an error that it cannot continue from, such as a full disk in a commit. */
const isInvalidated = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  return /database has been invalidated|FATAL Error|INTERNAL Error/i.test(error.message) || isInvalidated(error.cause)
}

/** The error of a warehouse file that cannot be read. */
export const damaged = (reason: string, cause?: unknown) =>
  new HoldshortError(
    'WAREHOUSE_CORRUPT',
    `the warehouse file is damaged: ${reason}; stop the service and run \`holdshort repair\``,
    { cause },
  )

/** The engine refuses a log by the identity and the count of checkpoints that files have since its storage version 1.4. */
const LOG_MISMATCH = /WAL does not match database file|WAL checkpoint iteration does not match/i

/** The error of a log that belongs to another file, or to another state of this one. */
const logMismatch = (cause: unknown) =>
  new HoldshortError(
    'WAREHOUSE_LOG_MISMATCH',
    `the log beside the warehouse file is of ${/iteration/.test((cause as Error).message) ? 'another state of it' : 'another file'}, and nothing of it was applied. ` +
      'Put the file and the log of one moment back; or stop the service and run `holdshort repair`, which goes on without the log and parses the captures since then again',
    { cause },
  )

/** The engine's error about a file that is not, or no longer, one of its own. */
const DAMAGE =
  /checksum|corrupt|not a valid duckdb|failed to deserialize|could not read enough bytes|file with version number|while replaying WAL/i

/** The engine's error about a file that the system does not let it open. */
const FORBIDDEN = /Cannot open file "([^"]+)".*?(Permission denied|Read-only file system|Operation not permitted)/s

/** The same of the system's error about a path that we looked at ourselves, as where the folder of the file may not be entered. */
function ownForbidden(error: unknown): [unknown, string | undefined, string] | null {
  const { code = '', path } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM' ? [error, path, 'permission denied'] : null
}

const UNKNOWN_HOLDER: CatalogHolder = { text: 'another process', name: 'another process', pid: null, since: null }

export const catalogBusy = (place: CatalogPlace) =>
  new HoldshortError(
    'WAREHOUSE_LOCKED',
    `the warehouse is held by ${(place.holder() ?? UNKNOWN_HOLDER).text}; try again when it has ended`,
  )

/** Gives the errors of the engine about the disk and about damage their codes; others pass unchanged. */
export function asCatalogError(error: unknown): unknown {
  if (error instanceof HoldshortError) return error
  const { message } = error as Error
  if (LOG_MISMATCH.test(message)) return logMismatch(error)
  if (DAMAGE.test(message)) return damaged(message.split('\n')[0] ?? '', error)
  const [, path = 'the warehouse', reason] = FORBIDDEN.exec(message) ?? ownForbidden(error) ?? []
  if (reason !== undefined)
    return new HoldshortError(
      'DATA_FOLDER_UNUSABLE',
      `${path} cannot be used: ${reason.toLowerCase()}; ${/read-only/i.test(reason) ? READ_ONLY_REMEDY : 'change its permissions, or run this as its owner'}`,
      { cause: error },
    )
  return asDiskFull(error)
}

/** The error of a file that the engine cannot open or read: the system may have no file or memory to give, all else is damage. */
export function asUnreadable(error: unknown): unknown {
  const named = asCatalogError(error)
  const { message, syscall } = error as NodeJS.ErrnoException
  if (named instanceof HoldshortError || syscall !== undefined || /^(IO|Out of Memory|Permission) Error/.test(message))
    return named
  return damaged(message.split('\n')[0] ?? '', error)
}

/**
 * The attachments that the work under way holds, of all catalogs. One for the process: on Node 22 and before, every promise pays
 * for each such storage that was ever used.
 */
const held = new AsyncLocalStorage<ReadonlyMap<Attachment, Access>>()

/**
 * The attachment of one catalog in this process. Two engines must never open one file in one process: the lock of the
 * operating system does not keep a process from itself. So every caller shares this one.
 */
class Attachment {
  readonly #place: CatalogPlace
  #engine: Promise<DuckDBInstance> | null = null
  /** Connections that use the attached catalog and are free. */
  #connections: DuckDBConnection[] = []
  #openers = 0
  #attached: Access | null = null
  #attachedAt = 0
  #users = 0
  #isBroken = false
  /** The work that has waited for longer than `NOTICE_MS`, with its beginning. */
  readonly #waits = new Set<symbol>()
  /** Whether another process waits for a catalog that does not keep others out by itself. */
  #isWanted = false
  #idle: NodeJS.Timeout | undefined
  #whenFree: (() => void)[] = []
  readonly #inTurn = createQueue()
  readonly #oneWriter = createQueue()
  readonly #scratchDir: string

  constructor(place: CatalogPlace, scratchDir: string) {
    this.#place = place
    this.#scratchDir = scratchDir
  }

  open(): void {
    this.#openers += 1
  }

  /** Lets go of the catalog when the last opener closes it; returns whether it did. */
  async close(): Promise<boolean> {
    this.#openers -= 1
    if (this.#openers > 0) return false
    await this.#inTurn(() => this.#detach())
    const engine = await this.#engine
    // Another caller opened it meanwhile. From here to the end nobody can.
    if (this.#openers > 0) return false
    this.#engine = null
    attachments.delete(this.#place.key)
    engine?.closeSync()
    return true
  }

  engine(): Promise<DuckDBInstance> {
    this.#engine ??= openDuckdb(this.#scratchDir)
    return this.#engine
  }

  run<T>(access: Access, options: CatalogOptions, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const attempt = () => this.#hold(access, options, work)
    // Work within other work must not wait for it.
    const isNested = held.getStore()?.has(this) ?? false
    return access === 'write' && !isNested ? this.#oneWriter(attempt) : attempt()
  }

  /** A new connection that uses the attached catalog. */
  async #connect(): Promise<DuckDBConnection> {
    const connection = await (await this.engine()).connect()
    try {
      await connection.run(`USE ${CATALOG}`)
      return connection
    } catch (error) {
      connection.closeSync()
      throw error
    }
  }

  async #hold<T>(
    access: Access,
    options: CatalogOptions,
    work: (connection: DuckDBConnection) => Promise<T>,
  ): Promise<T> {
    const outer = held.getStore()?.get(this)
    if (outer === undefined) await this.#acquire(access, options)
    else this.#users += 1
    try {
      return await held.run(new Map(held.getStore()).set(this, outer ?? access), async () => {
        const connection = this.#connections.pop() ?? (await this.#connect())
        try {
          // A connection that stays open needs it too: bucket credentials expire.
          await this.#place.prepare?.(connection)
          // A transaction of DuckLake requests the tables from its catalog, so that statements that read share one. It is ended
          // before the connection closes: closing one whose PostgreSQL is gone would end the process.
          const isShared = !this.#place.isExclusive && access === 'read' && outer === undefined
          const use = () => work(connection)
          const done = await (isShared ? withTransaction(connection, use) : use())
          this.#connections.push(connection)
          return done
        } catch (error) {
          connection.closeSync()
          throw error
        }
      })
    } catch (error) {
      const { error: named, isBroken } = this.#place.asError?.(error) ?? { error, isBroken: isInvalidated(error) }
      if (isBroken) this.#isBroken = true
      throw asCatalogError(named)
    } finally {
      this.#release()
    }
  }

  /**
   * Counts the caller as a user once the catalog is attached for its access. Between two tries others have their turn: readers
   * go on while another reader keeps this process from writing.
   */
  async #acquire(access: Access, { waitMs, noticeMs = NOTICE_MS, onWait }: CatalogOptions): Promise<void> {
    const wait = Symbol('wait')
    const began = performance.now()
    try {
      for (let pause = RETRY_MS; !(await this.#inTurn(() => this.#tryAcquire(access))); ) {
        const waited = performance.now() - began
        if (waitMs !== undefined && waited > waitMs) throw catalogBusy(this.#place)
        if (waited > noticeMs && !this.#waits.has(wait)) {
          this.#waits.add(wait)
          onWait?.((this.#place.holder() ?? UNKNOWN_HOLDER).text)
        }
        await sleep(pause)
        pause = Math.min(pause * 1.3, MAX_RETRY_MS)
      }
    } finally {
      if (this.#waits.delete(wait)) onWait?.(null)
    }
  }

  waitsFor(): CatalogHolder | null {
    return this.#waits.size === 0 ? null : (this.#place.holder() ?? UNKNOWN_HOLDER)
  }

  /** Counts the caller as a user; false while another process holds the catalog. */
  async #tryAcquire(access: Access): Promise<boolean> {
    clearTimeout(this.#idle)
    const isLong = this.#isWanted || (this.#place.isExclusive && performance.now() - this.#attachedAt > MAX_HOLD_MS)
    const isEnough = this.#attached === 'write' || this.#attached === access
    if (this.#attached !== null && (isLong || !isEnough || this.#isBroken)) {
      await this.#untilFree()
      await this.#detach()
      if (isLong) await sleep(YIELD_MS)
    }
    if (this.#attached === null) {
      const engine = await this.engine()
      const isAttached = await withConnection(engine, (connection) =>
        this.#place.attach(connection, access, () => this.#releaseWhenIdle()),
      ).catch((error) => {
        // A damaged log can be an internal error to the engine, which refuses all work after one.
        if (isInvalidated(error)) this.#engine = null
        throw error
      })
      if (!isAttached) return false
      this.#attached = access
      this.#attachedAt = performance.now()
    }
    this.#users += 1
    return true
  }

  #untilFree(): Promise<void> {
    if (this.#users === 0) return Promise.resolve()
    return new Promise((resolve) => this.#whenFree.push(resolve))
  }

  #release(): void {
    this.#users -= 1
    if (this.#users > 0) return
    for (const resolve of this.#whenFree.splice(0)) resolve()
    if (this.#place.isExclusive || this.#isBroken || this.#isWanted) this.#detachWhenIdle()
  }

  #releaseWhenIdle(): void {
    this.#isWanted = true
    if (this.#users === 0) this.#detachWhenIdle()
  }

  #detachWhenIdle(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => {
      void this.#inTurn(async () => {
        if (this.#users === 0) await this.#detach()
      }).catch(() => undefined)
    }, IDLE_MS)
  }

  /** Lets go of the catalog. An engine that broke is closed, and the next work gets a new one. */
  async #detach(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#untilFree()
    if (this.#attached === null) return
    this.#attached = null
    for (const connection of this.#connections.splice(0)) connection.closeSync()
    const engine = await this.#engine
    if (!engine) return
    try {
      await withConnection(engine, (connection) => connection.run(`DETACH ${CATALOG}`))
    } catch {
      // Committed rows are in the log of the file, and the next attachment reads them from there.
      this.#isBroken = true
    }
    this.#isWanted = false
    await this.#place.detached?.()
    if (!this.#isBroken) return
    this.#isBroken = false
    this.#engine = null
    engine.closeSync()
  }
}

const attachments = new Map<string, Attachment>()

/** Opens a catalog beside the other callers of this process. Nothing is attached before there is work. */
export function openCatalog(place: CatalogPlace, scratchDir: string, options: CatalogOptions = {}): Catalog {
  const attachment = attachments.get(place.key) ?? new Attachment(place, scratchDir)
  attachments.set(place.key, attachment)
  attachment.open()
  let isClosed = false
  const underWay = new Set<Promise<unknown>>()
  const whileOpen = <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new DOMException('the warehouse is closed', 'AbortError'))
    const running = work()
    underWay.add(running)
    const ended = () => void underWay.delete(running)
    running.then(ended, ended)
    return running
  }
  return {
    read: (work) => whileOpen(() => attachment.run('read', options, work)),
    write: (work) => whileOpen(() => attachment.run('write', options, work)),
    checkpoint: place.checkpoint,
    without: (work) => whileOpen(async () => withConnection(await attachment.engine(), work)),
    close: async () => {
      if (isClosed) return false
      isClosed = true
      while (underWay.size > 0) await Promise.allSettled(underWay)
      return attachment.close()
    },
    waitsFor: () => attachment.waitsFor(),
  }
}
