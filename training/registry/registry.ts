import { mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { isoUtc, UtcInstant } from '../../config/domain.ts'
import { HoldshortError } from '../../config/errors.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import { readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import { listArtifacts } from '../artifacts/artifact-files.ts'
import { CONTENDERS } from '../models/contenders.ts'
import { TRAINED_KINDS, type TrainedKind } from '../settings/kinds.ts'

/** Every airport, where a pin names no single one. */
export const ALL_SUBJECTS = '*'

const Pin = z.strictObject({
  kind: z.enum(TRAINED_KINDS),
  /** `JFK`, `ZRH/entry`, or `*` for all. */
  subject: z.string().min(1),
  /** An instant like 2026-11-20T04Z: the newest model of a cutoff not after it. Or the forecaster that serves in place of the choice. */
  to: z.union([z.enum(CONTENDERS), z.string().regex(/^\d{4}-\d\d-\d\dT\d\dZ$/)]),
  pinned_at: UtcInstant,
})
export type Pin = z.infer<typeof Pin>

const HeldModel = z.strictObject({
  kind: z.enum(TRAINED_KINDS),
  subject: z.string().min(1),
  version: z.string(),
  /** Why the earlier model goes on serving. */
  reason: z.string(),
})
export type HeldModel = z.infer<typeof HeldModel>

/** Which models serve, where that is not simply the newest; kept beside the models. */
const Registry = z.strictObject({
  format: z.literal(1),
  pins: z.array(Pin),
  /** Models that were trained and lost clearly to the one that serves. */
  held: z.array(HeldModel),
})
export type Registry = z.infer<typeof Registry>

/** Without pins: the newest model of each subject serves. */
export const EMPTY_REGISTRY: Registry = { format: 1, pins: [], held: [] }

const registryPath = (modelsDir: string) => join(modelsDir, 'registry.json')

/** Reads the registry; empty where there is none. @throws HoldshortError MODEL_INVALID when it is damaged */
export async function readRegistry(modelsDir: string): Promise<Registry> {
  try {
    return Registry.parse(JSON.parse(await readOrdinaryText(registryPath(modelsDir))))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return EMPTY_REGISTRY
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause).replace(/\s+/g, ' ') : (cause as Error).message
    throw new HoldshortError(
      'MODEL_INVALID',
      `${registryPath(modelsDir)} is damaged (${reason}), so pins and models that are held back are unknown and the newest models serve; restore it from a backup, or delete it and pin again (holdshort models)`,
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
  const of = (name: string) => pins.find((pin) => pin.kind === kind && pin.subject === name)
  return of(subject) ?? of(ALL_SUBJECTS) ?? null
}

/** The registry with a pin in place of the subject's former one; `to` null removes it. */
export function withPin(registry: Registry, { to, ...pin }: Omit<Pin, 'to'> & { to: Pin['to'] | null }): Registry {
  const others = registry.pins.filter(({ kind, subject }) => kind !== pin.kind || subject !== pin.subject)
  return { format: 1, held: registry.held, pins: to === null ? others : [...others, Object.assign({}, pin, { to })] }
}

const isContender = (to: string): to is (typeof CONTENDERS)[number] => (CONTENDERS as readonly string[]).includes(to)

/** How a subject is served. */
export interface Serving {
  /** Folders of artifacts, the one that serves first; the next ones stand in when it cannot be used. */
  folders: string[]
  /** The forecaster that a pin names; null: the choice of the artifact. */
  contender: (typeof CONTENDERS)[number] | null
  pin: Pin | null
}

/** The cutoff in the name of an artifact's folder. */
const cutoffOf = (folder: string) => basename(folder).split('@')[1] ?? ''

/** A model with a cutoff in the future was trained while the clock was ahead: it comes after all others, not before them. */
function inOrderOfChoice(newestFirst: string[], now: number): string[] {
  const hour = `${isoUtc(now).slice(0, 13)}Z`
  const isFuture = (folder: string) => cutoffOf(folder) > hour
  return [...newestFirst.filter((folder) => !isFuture(folder)), ...newestFirst.filter(isFuture)]
}

/** Which artifacts serve a subject at `now` (epoch ms): the newest that is not held back, or the one that a pin names. */
export async function servingOf(
  modelsDir: string,
  registry: Registry,
  { kind, subject }: { kind: TrainedKind; subject: string },
  now: number,
): Promise<Serving> {
  const pin = pinOf(registry, kind, subject)
  const held = new Set(
    registry.held.filter((each) => each.kind === kind && each.subject === subject).map(({ version }) => version),
  )
  const newestFirst = inOrderOfChoice((await listArtifacts(modelsDir, kind, subject)).toReversed(), now)
  const isHeld = (folder: string) => held.has(basename(folder))
  if (pin && !isContender(pin.to)) {
    const { to } = pin
    return { folders: newestFirst.filter((folder) => cutoffOf(folder) <= to), contender: null, pin }
  }
  const free = newestFirst.filter((folder) => !isHeld(folder))
  const contender = pin && isContender(pin.to) ? pin.to : null
  return { folders: free.length > 0 ? free : newestFirst, contender, pin }
}

/** Folders that pruning must leave: those that serve now. */
export async function servingFolder(
  modelsDir: string,
  registry: Registry,
  of: { kind: TrainedKind; subject: string },
  now: number,
): Promise<string | null> {
  return (await servingOf(modelsDir, registry, of, now)).folders[0] ?? null
}

/** Names of the files in a folder; none where there is no folder. */
export const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
