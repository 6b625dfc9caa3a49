import { mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { HoldshortError } from '../../config/errors.ts'
import { isoUtc, UtcInstant } from '../../config/vocabulary.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import { REGISTRY_FILE } from '../../warehouse/storage/model-files.ts'
import { isForbidden, readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import { listArtifacts } from '../artifacts/artifact-files.ts'
import { CONTENDERS } from '../forecasters/contenders.ts'
import { TRAINED_KINDS, type TrainedKind } from '../settings/kinds.ts'

/** Every airport, where a pin names no single one. */
export const ALL_SUBJECTS = '*'

const Pin = z.strictObject({
  kind: z.enum(TRAINED_KINDS),
  /** `JFK`, `ZRH/entry`, or `*` for all. */
  subject: z.string().min(1),
  /**
   * A version like 2026-11-20T04Z-3fa9c1d2. Or an instant like 2026-11-20T04Z: the newest model of a cutoff not after it. Or the
   * forecaster that serves in place of the choice.
   */
  to: z.union([z.enum(CONTENDERS), z.string().regex(/^\d{4}-\d\d-\d\dT\d\dZ(-[0-9a-f]{8})?$/)]),
  pinned_at: UtcInstant,
})
export type Pin = z.infer<typeof Pin>

/** A model in one of the two roles: champion (it serves unless a pin says otherwise) or challenger (it was trained and does not serve). */
const NamedModel = z.strictObject({
  kind: z.enum(TRAINED_KINDS),
  subject: z.string().min(1),
  /** The name of the folder: JFK@2026-11-20T04Z-3fa9c1d2. */
  version: z.string(),
  run: z.string(),
  at: UtcInstant,
  /** `training`, or the user who promoted it. */
  by: z.string(),
})
const Challenger = NamedModel.extend({
  /** Why the champion goes on serving. */
  reason: z.string(),
})
export type Champion = z.infer<typeof NamedModel>
export type Challenger = z.infer<typeof Challenger>

/** The serving models; the file is beside the models. */
const Registry = z.strictObject({
  format: z.literal(2),
  pins: z.array(Pin),
  /** All that became champion, in order: the last one of a subject is its champion, the ones before are what a rollback returns to. */
  champions: z.array(NamedModel),
  /** Models that lost clearly to the champion, and experiments, in order. */
  challengers: z.array(Challenger),
})
export type Registry = z.infer<typeof Registry>

/** Without champions the newest model of each subject serves. */
export const EMPTY_REGISTRY: Registry = { format: 2, pins: [], champions: [], challengers: [] }

const registryPath = (modelsDir: string) => join(modelsDir, REGISTRY_FILE)

/** Reads the registry; empty if there is none. @throws HoldshortError MODEL_INVALID when it is damaged */
export async function readRegistry(modelsDir: string): Promise<Registry> {
  try {
    return Registry.parse(JSON.parse(await readOrdinaryText(registryPath(modelsDir))))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY_REGISTRY
    if (isForbidden(cause)) throw cause
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause).replace(/\s+/g, ' ') : (cause as Error).message
    throw new HoldshortError(
      'MODEL_INVALID',
      `${registryPath(modelsDir)} is damaged (${reason}), so pins and champions are unknown and the newest models serve; restore it from a backup, or delete it and pin again (holdshort models)`,
      { cause },
    )
  }
}

/** Replaces the registry, whole or not at all. */
export async function writeRegistry(modelsDir: string, registry: Registry): Promise<void> {
  await mkdir(modelsDir, { recursive: true })
  await writeWhole(registryPath(modelsDir), `${JSON.stringify(Registry.parse(registry), null, 2)}\n`)
}

/** The pin of a subject: its own, else that of all. */
export function pinOf({ pins }: Registry, kind: TrainedKind, subject: string): Pin | null {
  const pinFor = (name: string) => pins.find((pin) => pin.kind === kind && pin.subject === name)
  return pinFor(subject) ?? pinFor(ALL_SUBJECTS) ?? null
}

/** The registry with a pin in place of the subject's former one; `to` null removes it. */
export function withPin(registry: Registry, { to, ...pin }: Omit<Pin, 'to'> & { to: Pin['to'] | null }): Registry {
  const others = registry.pins.filter(({ kind, subject }) => kind !== pin.kind || subject !== pin.subject)
  const pins = to === null ? others : [...others, { ...pin, to }]
  return { ...registry, pins }
}

/** A queue whose models are trained: its kind, and `JFK` or `ZRH/entry`. */
export interface Subject {
  kind: TrainedKind
  subject: string
}

/** The entries of one subject, the newest first. */
const entriesOfSubject = <T extends Champion>(entries: readonly T[], { kind, subject }: Subject): T[] =>
  entries.filter((entry) => entry.kind === kind && entry.subject === subject).toReversed()

/** The model that serves a subject unless a pin says otherwise; null before the first training. */
export const championOf = ({ champions }: Pick<Registry, 'champions'>, modelSubject: Subject): Champion | null =>
  entriesOfSubject(champions, modelSubject)[0] ?? null

/** The newest model of a subject that was trained and does not serve. */
export const challengerOf = ({ challengers }: Registry, modelSubject: Subject): Challenger | null =>
  entriesOfSubject(challengers, modelSubject)[0] ?? null

/** The registry with further champions; a model that is one is no challenger any more, and naming it again changes nothing. */
export function withChampions(registry: Registry, champions: readonly Champion[]): Registry {
  const isSame = (a: Champion, b: Champion) => a.kind === b.kind && a.version === b.version
  const added = champions.filter((champion) => championOf(registry, champion)?.version !== champion.version)
  return {
    ...registry,
    champions: [...registry.champions, ...added],
    challengers: registry.challengers.filter(
      (challenger) => !champions.some((champion) => isSame(champion, challenger)),
    ),
  }
}

/** The registry with further challengers; a model that serves or served stays what it is. */
export function withChallengers(registry: Registry, challengers: readonly Challenger[]): Registry {
  const isNamed = (list: readonly Champion[], { kind, version }: Champion) =>
    list.some((entry) => entry.kind === kind && entry.version === version)
  const added = challengers.filter((challenger) => !isNamed(registry.champions, challenger))
  const others = registry.challengers.filter((challenger) => !isNamed(added, challenger))
  return { ...registry, challengers: [...others, ...added] }
}

const isContender = (to: string): to is (typeof CONTENDERS)[number] => (CONTENDERS as readonly string[]).includes(to)

/** The registry without the models of a subject that have been deleted. */
export function onlyVersions(registry: Registry, modelSubject: Subject, versions: ReadonlySet<string>): Registry {
  const isLeft = (champion: Champion) =>
    champion.kind !== modelSubject.kind || champion.subject !== modelSubject.subject || versions.has(champion.version)
  return { ...registry, champions: registry.champions.filter(isLeft), challengers: registry.challengers.filter(isLeft) }
}

/** The version in the name of an artifact's folder, without its subject: 2026-11-20T04Z-3fa9c1d2. */
export const shortVersion = (folder: string): string => basename(folder).split('@')[1] ?? ''
const CUTOFF_LENGTH = '2026-11-20T04Z'.length
const cutoffOf = (folder: string) => shortVersion(folder).slice(0, CUTOFF_LENGTH)

/** A model with a cutoff in the future was trained while the clock was ahead: it comes after all others, not before them. */
function withoutFutureFirst(newestFirst: string[], now: number): string[] {
  const hour = `${isoUtc(now).slice(0, 13)}Z`
  const isFuture = (folder: string) => cutoffOf(folder) > hour
  return [...newestFirst.filter((folder) => !isFuture(folder)), ...newestFirst.filter(isFuture)]
}

/**
 * Folders of a subject's artifacts in the order in which they serve without a pin at `now` (epoch ms): the champions, the last one
 * first, then models that no registry names, the newest first. Challengers never serve.
 */
export async function servingOrder(
  modelsDir: string,
  registry: Registry,
  modelSubject: Subject,
  now: number,
): Promise<string[]> {
  const newestFirst = (await listArtifacts(modelsDir, modelSubject.kind, modelSubject.subject)).toReversed()
  const champions = entriesOfSubject(registry.champions, modelSubject).map(({ version }) => version)
  const challengers = new Set(entriesOfSubject(registry.challengers, modelSubject).map(({ version }) => version))
  const named = [...new Set(champions)].flatMap((version) =>
    newestFirst.filter((folder) => basename(folder) === version),
  )
  const unnamed = newestFirst.filter((folder) => !named.includes(folder) && !challengers.has(basename(folder)))
  return withoutFutureFirst([...named, ...unnamed], now)
}

/**
 * The artifacts that serve a subject at `now` (epoch ms): the champion, or the one that a pin names; the next folders stand in
 * when the first cannot be used. A `contender` of null is the choice of the artifact.
 */
export async function servingOf(modelsDir: string, registry: Registry, modelSubject: Subject, now: number) {
  const pin = pinOf(registry, modelSubject.kind, modelSubject.subject)
  const order = await servingOrder(modelsDir, registry, modelSubject, now)
  if (pin === null) return { folders: order, contender: null, pin }
  const { to } = pin
  if (isContender(to)) return { folders: order, contender: to, pin }
  const pinned = (await listArtifacts(modelsDir, modelSubject.kind, modelSubject.subject)).filter(
    (folder) => shortVersion(folder) === to,
  )
  const before = order.filter((folder) => cutoffOf(folder) <= to && !pinned.includes(folder))
  // A stable order: of one cutoff the last champion comes first.
  before.sort((a, b) => cutoffOf(b).localeCompare(cutoffOf(a)))
  return { folders: [...pinned, ...before], contender: null, pin }
}

/** The folder that serves now; null when there is none. */
export async function servingFolder(
  modelsDir: string,
  registry: Registry,
  modelSubject: Subject,
  now: number,
): Promise<string | null> {
  return (await servingOf(modelsDir, registry, modelSubject, now)).folders[0] ?? null
}

const RETAINED = 5

/**
 * Folders that pruning must leave: the one that serves, those that a rollback returns to, the newest challengers, and the models of
 * named trainings.
 */
export async function retainedFolders(
  modelsDir: string,
  registry: Registry,
  modelSubject: Subject,
  { now, named }: { now: number; named: ReadonlySet<string> },
): Promise<Set<string>> {
  const folders = await listArtifacts(modelsDir, modelSubject.kind, modelSubject.subject)
  const challengers = entriesOfSubject(registry.challengers, modelSubject).slice(0, RETAINED)
  const isRetained = (folder: string) =>
    named.has(basename(folder)) || challengers.some(({ version }) => version === basename(folder))
  const serving = await servingFolder(modelsDir, registry, modelSubject, now)
  const order = await servingOrder(modelsDir, registry, modelSubject, now)
  return new Set([...order.slice(0, RETAINED), ...(serving ? [serving] : []), ...folders.filter(isRetained)])
}

/** Names of the files in a folder; none where there is no folder. */
export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
