import { basename } from 'node:path'
import type { Command } from 'commander'
import { isoUtc } from '../../config/domain.ts'
import { UsageError } from '../../config/errors.ts'
import { dataPaths } from '../../config/settings.ts'
import { readSoundCard, trainedSubjects } from '../../training/artifacts/artifact-files.ts'
import { CONTENDERS } from '../../training/models/contenders.ts'
import {
  ALL_SUBJECTS,
  type Pin,
  pinOf,
  readRegistry,
  servingOf,
  withPin,
  writeRegistry,
} from '../../training/registry/registry.ts'
import { compareRuns, listRuns, readRun } from '../../training/registry/runs.ts'
import { TRAINED_KINDS, type TrainedKind } from '../../training/settings/kinds.ts'
import { leadHere } from '../runtime/command-warehouse.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { print, textTable } from '../runtime/output.ts'

interface Flags {
  kind: string
  dataDir?: string
  json?: boolean
}

interface Models {
  folder: string
  kind: TrainedKind
}

function modelsOf({ kind, dataDir }: Flags): Models {
  const found = TRAINED_KINDS.find((each) => each === kind)
  if (!found) throw new UsageError(`--kind: "${kind}" must be one of ${TRAINED_KINDS.join(', ')}`)
  const settings = settingsOfExisting(dataDir === undefined ? {} : { dataDir })
  return { folder: dataPaths(settings.data_dir).models, kind: found }
}

const percent = (share: number | undefined) => (share === undefined ? null : `${(100 * share).toFixed(1)} %`)

/** `holdshort models`: which models serve, the runs that made them, and how to hold or change what serves. */
export function modelsCommand(program: Command): void {
  const models = program.command('models').description('List and compare training runs, and decide which models serve.')
  const subcommand = (name: string, description: string) =>
    models
      .command(name)
      .description(description)
      .option('--kind <kind>', TRAINED_KINDS.join(' or '), 'security')
      .option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)')
      .option('--json', 'print the result as JSON')
  subcommand('list', 'List the training runs, and what serves each airport.').action(list)
  subcommand('compare <first> <second>', 'Compare two runs on the airports and days that both scored.').action(compare)
  subcommand(
    'pin <airport> <to>',
    'Hold an airport, or all, on a version (2026-11-20T04Z), on model, rule or baseline; "none" ends it. It holds from the next forecast on.',
  ).action(pin)
  subcommand('rollback <airport>', 'Hold an airport, or all, on the version before the one that serves.').action(
    rollback,
  )
}

async function list(flags: Flags): Promise<void> {
  const { folder, kind } = modelsOf(flags)
  const registry = await readRegistry(folder)
  const runs = await listRuns(folder, kind)
  const serving = await Promise.all(
    (await trainedSubjects(folder, kind)).map((subject) => servingRow(folder, kind, subject)),
  )
  const result = {
    runs: runs.map(({ name, trained_at, cutoff, settings_digest, airports }) => ({
      name,
      trained_at,
      cutoff,
      settings_digest,
      airports: airports.length,
      held: airports.filter(({ held }) => held !== null).length,
      mae_minutes: meanLoss(airports.flatMap(({ days }) => days)),
    })),
    serving,
    pins: registry.pins.filter((each) => each.kind === kind),
    held: registry.held.filter((each) => each.kind === kind),
  }
  print(result, flags.json, () =>
    [
      textTable(
        ['run', 'trained', 'up to', 'settings', 'airports', 'not serving', 'MAE'],
        result.runs.map((run) => [
          run.name,
          run.trained_at,
          run.cutoff,
          run.settings_digest,
          run.airports,
          run.held,
          run.mae_minutes?.toFixed(2) ?? null,
        ]),
      ),
      '',
      textTable(
        ['queue', 'version', 'serves', 'pinned to'],
        serving.map(({ subject, version, served, pinned_to }) => [subject, version, served, pinned_to]),
      ),
      ...result.held.map(({ version, reason }) => `${version} is held back: ${reason}`),
    ].join('\n'),
  )
}

function meanLoss(days: readonly { samples: number; error_minutes: number }[]): number | null {
  const samples = days.reduce((sum, day) => sum + day.samples, 0)
  return samples === 0 ? null : days.reduce((sum, day) => sum + day.error_minutes, 0) / samples
}

/** What serves a subject: its version, the forecaster, and the pin that decided it. */
async function servingRow(folder: string, kind: TrainedKind, subject: string) {
  const {
    folders,
    contender,
    pin: of,
  } = await servingOf(folder, await readRegistry(folder), { kind, subject }, Date.now())
  const [first] = folders
  const card = first ? await readSoundCard(first).catch(() => null) : null
  return {
    subject,
    version: first ? basename(first) : null,
    served: contender ?? card?.served ?? null,
    pinned_to: of?.to ?? null,
  }
}

async function compare(first: string, second: string, flags: Flags): Promise<void> {
  const { folder, kind } = modelsOf(flags)
  const comparison = compareRuns(await readRun(folder, kind, first), await readRun(folder, kind, second))
  const row = (name: string, of: { skill: number; low: number; high: number } | null) => [
    name,
    percent(of?.skill),
    percent(of?.low),
    percent(of?.high),
  ]
  print(comparison, flags.json, () =>
    [
      comparison.sentence,
      '',
      textTable(
        [`${first} loses less by`, 'share', 'from', 'to'],
        [
          row('MAE', comparison.mae),
          row('pinball', comparison.pinball),
          ...comparison.by_horizon.map((of) => row(`pinball, from ${of.from_hours} h`, of.pinball)),
          ...comparison.by_airport.map((of) => row(of.subject, of.pinball)),
        ],
      ),
    ].join('\n'),
  )
}

const VERSION = /^(?:[A-Z]{3}(?:[-/](?:entry|exit|unknown))?@)?(\d{4}-\d\d-\d\dT\d\dZ)$/

function pinTarget(to: string): Pin['to'] | null {
  if (to === 'none') return null
  const contender = CONTENDERS.find((each) => each === to)
  const instant = VERSION.exec(to)?.[1]
  const target = contender ?? instant
  if (target === undefined)
    throw new UsageError(`to: "${to}" must be a version like 2026-11-20T04Z, one of ${CONTENDERS.join(', ')}, or none`)
  return target
}

async function subjectOf({ folder, kind }: Models, name: string): Promise<string> {
  if (name === 'all') return ALL_SUBJECTS
  const subjects = await trainedSubjects(folder, kind)
  const found = subjects.find((subject) => subject.toUpperCase() === name.toUpperCase())
  if (!found)
    throw new UsageError(
      `airport: "${name}" has no ${kind} model; use all, or one of: ${subjects.join(', ') || 'none yet'}`,
    )
  return found
}

async function pin(airport: string, to: string, flags: Flags): Promise<void> {
  const models = modelsOf(flags)
  const subject = await subjectOf(models, airport)
  await applyPin(models, { subject, to: pinTarget(to) }, flags)
}

async function applyPin(models: Models, { subject, to }: { subject: string; to: Pin['to'] | null }, flags: Flags) {
  const lead = await leadHere(settingsOfExisting(flags))
  const { folder, kind } = models
  const registry = withPin(await readRegistry(folder), { kind, subject, to, pinned_at: isoUtc(Date.now()) })
  const subjects = subject === ALL_SUBJECTS ? await trainedSubjects(folder, kind) : [subject]
  for (const each of subjects) {
    const { folders } = await servingOf(folder, registry, { kind, subject: each }, Date.now())
    if (folders.length === 0)
      throw new UsageError(`to: ${each} has no model of ${to} or before; \`holdshort models list\` shows what there is`)
  }
  await writeRegistry(folder, registry)
  await lead.end()
  const serving = await Promise.all(subjects.map((each) => servingRow(folder, kind, each)))
  print(serving, flags.json, () =>
    serving
      .map(
        (of) =>
          `${of.subject}: ${of.version} serves by ${of.served}, ${of.pinned_to ? `pinned to ${of.pinned_to}` : 'not pinned'}`,
      )
      .join('\n'),
  )
}

async function rollback(airport: string, flags: Flags): Promise<void> {
  const models = modelsOf(flags)
  const { folder, kind } = models
  const name = await subjectOf(models, airport)
  const registry = await readRegistry(folder)
  const subjects = name === ALL_SUBJECTS ? await trainedSubjects(folder, kind) : [name]
  const cutoffs = await Promise.all(
    subjects.map(async (subject) => {
      const { folders } = await servingOf(folder, registry, { kind, subject }, Date.now())
      return folders[1] ? (basename(folders[1]).split('@')[1] ?? null) : null
    }),
  )
  const before = cutoffs
    .filter((cutoff) => cutoff !== null)
    .sort()
    .at(-1)
  if (before === undefined) throw new UsageError(`airport: ${airport} has no version before the one that serves`)
  if (pinOf(registry, kind, name)?.to === before)
    throw new UsageError(`airport: ${airport} is already held on ${before}`)
  await applyPin(models, { subject: name, to: before }, flags)
}
