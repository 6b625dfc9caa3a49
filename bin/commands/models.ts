import { userInfo } from 'node:os'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { UsageError } from '../../config/errors.ts'
import { groupBy } from '../../config/group-by.ts'
import { dataPaths } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { readSoundCard, trainedSubjects } from '../../training/artifacts/artifact-files.ts'
import { CONTENDERS } from '../../training/forecasters/contenders.ts'
import { promote } from '../../training/registry/promote.ts'
import {
  ALL_SUBJECTS,
  challengerOf,
  championOf,
  type Pin,
  type Registry,
  readRegistry,
  type Subject,
  servingFolder,
  servingOf,
  servingOrder,
  shortVersion,
  withPin,
  writeRegistry,
} from '../../training/registry/registry.ts'
import {
  compareTrainings,
  listTrainings,
  readTraining,
  side,
  skillOfTraining,
  type Training,
} from '../../training/registry/trainings.ts'
import { TRAINED_KINDS, type TrainedKind } from '../../training/settings/kinds.ts'
import { readImported } from '../../warehouse/storage/contest-sums.ts'
import { leadHere, openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsOfInstallation } from '../runtime/environment.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, textTable } from '../runtime/output.ts'
import { trainedKindsFlag } from '../runtime/training-flags.ts'

interface Flags extends DataFlags {
  kind: string
}

interface Models {
  folder: string
  kind: TrainedKind
}

function modelsOf(flags: Flags): Models {
  const [kind] = trainedKindsFlag(flags.kind)
  return { folder: dataPaths(settingsOfInstallation(flags).data_dir).models, kind: kind! }
}

const percent = (share: number | undefined) => (share === undefined ? null : `${(100 * share).toFixed(1)} %`)

/** `holdshort models`: which models serve, the trainings that made them, and how to hold or change what serves. */
export function register(program: Command): void {
  const models = addCommand(program, 'models')
  const subcommand = (name: string) =>
    addDataCommand(models, `models ${name}`).option('--kind <kind>', TRAINED_KINDS.join(' or '), 'security')
  subcommand('list').action(list)
  subcommand('compare').arguments('<first> <second>').action(compare)
  subcommand('pin').arguments('<airport> <to>').action(pin)
  subcommand('rollback').arguments('<airport>').action(rollback)
  subcommand('promote')
    .arguments('<training>')
    .option('--airport <airport>', 'only this airport')
    .action(promoteTraining)
}

async function list(flags: Flags): Promise<void> {
  const { folder, kind } = modelsOf(flags)
  const registry = await readRegistry(folder)
  const imported = kind === 'security' ? await importedForecasters(flags) : []
  const trainings = (await listTrainings(folder, kind)).map((training) => rowOfTraining(training, registry))
  const serving = await Promise.all(
    (await trainedSubjects(folder, kind)).map((subject) => servingRow(folder, registry, { kind, subject })),
  )
  const result = {
    trainings,
    serving,
    pins: registry.pins.filter((pin) => pin.kind === kind),
    challengers: registry.challengers.filter((challenger) => challenger.kind === kind),
    imported,
  }
  print(result, flags.json, () => [
    ...tablesOfTrainings(trainings),
    textTable(
      ['queue', 'serves', 'by', 'champion', 'of training', 'since', 'named by', 'challenger', 'pinned to'],
      serving.map(({ subject, version, served, champion, challenger, pinned_to }) => [
        subject,
        version,
        served,
        champion?.version ?? null,
        champion?.run ?? null,
        champion?.at ?? null,
        champion?.by ?? null,
        challenger?.version ?? null,
        pinned_to,
      ]),
    ),
    ...linesOfChallengers(result.challengers),
    ...imported.map(
      ({ forecaster, iata, open_forecasts }) =>
        `${forecaster}, imported, is in the contest of ${iata}: ${countText(open_forecasts, 'forecast')} open`,
    ),
  ])
}

/** Forecasters whose forecasts were imported, from the first import on. */
async function importedForecasters(flags: Flags) {
  await using warehouse = await openCommandWarehouse(settingsOfInstallation(flags))
  return readImported(warehouse, Date.now())
}

/** Models that do not serve, with the reason; an experiment is one line, whatever the number of its airports. */
function linesOfChallengers(challengers: Registry['challengers']): string[] {
  return [...groupBy(challengers, ({ run, reason }) => `${run} ${reason}`).values()].map((group) => {
    const { version, run, reason } = group[0]!
    return group.length === 1
      ? `${version} of ${run} does not serve: ${reason}`
      : `${group.length} models of ${run} do not serve: ${reason}`
  })
}

/** A training with what its backtest saved of the loss of the baseline, on the training's own hours. */
function rowOfTraining(training: Training, { champions }: Registry) {
  const { name, trained_at, cutoff, settings_digest, kind, airports } = training
  const isChampion = ({ subject, version }: (typeof airports)[number]) =>
    championOf({ champions }, { kind, subject })?.version === version
  return {
    name,
    trained_at,
    cutoff,
    settings_digest,
    airports: airports.map(({ subject }) => subject),
    champions: airports.filter(isChampion).length,
    ...skillOfTraining(training),
  }
}

/** One table for each set of airports, so that figures under each other are of the same queues. */
function tablesOfTrainings(trainings: readonly ReturnType<typeof rowOfTraining>[]): string[] {
  const sets = groupBy(trainings, (training) => training.airports.toSorted().join(', '))
  return [...sets].flatMap(([airports, trainings]) => [
    `Trainings of ${airports} (airports: ${trainings[0]!.airports.length}). Skill is the share of the baseline's pinball loss that was saved, on the hours of the training; \`models compare\` compares two trainings on the same days.`,
    textTable(
      ['training', 'trained', 'up to', 'settings', 'champions', 'hours', 'baseline MAE', 'skill', '95 % from', 'to'],
      trainings.map((training) => [
        training.name,
        training.trained_at,
        training.cutoff,
        training.settings_digest,
        training.champions,
        training.hours,
        training.baseline_mae_minutes?.toFixed(2) ?? null,
        percent(training.skill?.skill),
        percent(training.skill?.low),
        percent(training.skill?.high),
      ]),
    ),
    '',
  ])
}

/** The serving model of a subject: its version, the forecaster, the pin that decided it, and the models by their role. */
async function servingRow(folder: string, registry: Registry, modelSubject: Subject) {
  const { folders, contender, pin: pinned } = await servingOf(folder, registry, modelSubject, Date.now())
  const [first] = folders
  const card = first ? await readSoundCard(first).catch(() => null) : null
  return {
    subject: modelSubject.subject,
    version: first ? basename(first) : null,
    served: contender ?? card?.served ?? null,
    pinned_to: pinned?.to ?? null,
    champion: championOf(registry, modelSubject),
    challenger: challengerOf(registry, modelSubject),
  }
}

async function compare(first: string, second: string, flags: Flags): Promise<void> {
  const { folder, kind } = modelsOf(flags)
  const comparison = compareTrainings(await readTraining(folder, kind, first), await readTraining(folder, kind, second))
  const row = (name: string, difference: { skill: number; low: number; high: number } | null) => [
    name,
    difference && side(difference.skill),
    difference && side(difference.low),
    difference && side(difference.high),
  ]
  print(comparison, flags.json, () => [
    comparison.sentence,
    '',
    textTable(
      [`loss of ${first}, beside ${second}`, 'is', '95 % from', 'to'],
      [
        row('MAE', comparison.mae),
        row('pinball', comparison.pinball),
        ...comparison.by_horizon.map((bucket) => row(`pinball, from ${bucket.from_hours} h`, bucket.pinball)),
        ...comparison.by_airport.map((airport) => row(airport.subject, airport.pinball)),
      ],
    ),
  ])
}

const VERSION = /^(?:[A-Z]{3}(?:[-/](?:entry|exit|unknown))?@)?(\d{4}-\d\d-\d\dT\d\dZ(?:-[0-9a-f]{8})?)$/

function pinTarget(to: string): Pin['to'] | null {
  if (to === 'none') return null
  const contender = CONTENDERS.find((candidate) => candidate === to)
  const target = contender ?? VERSION.exec(to)?.[1]
  if (target === undefined)
    throw new UsageError(
      `to: "${to}" must be a version like 2026-11-20T04Z-3fa9c1d2, a cutoff like 2026-11-20T04Z, one of ${CONTENDERS.join(', ')}, or none`,
    )
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

/** The subjects that are meant by the name of one, or by all of them. */
const subjectsOf = async ({ folder, kind }: Models, name: string): Promise<string[]> =>
  name === ALL_SUBJECTS ? trainedSubjects(folder, kind) : [name]

async function pin(airport: string, target: string, flags: Flags): Promise<void> {
  const models = modelsOf(flags)
  const { folder, kind } = models
  const subject = await subjectOf(models, airport)
  const to = pinTarget(target)
  const subjects = await subjectsOf(models, subject)
  const isExact = to?.includes('Z-') ?? false
  if (isExact && subject === ALL_SUBJECTS)
    throw new UsageError(`to: ${to} is a model of one airport; name the airport, or the cutoff alone for all`)
  await changeRegistry(models, subjects, flags, async (registry) => {
    const next = withPin(registry, { kind, subject, to, pinned_at: isoUtc(Date.now()) })
    const isFound = async (candidate: string) => {
      const [first] = (await servingOf(folder, next, { kind, subject: candidate }, Date.now())).folders
      return first !== undefined && (!isExact || shortVersion(first) === to)
    }
    const found = await Promise.all(subjects.map(isFound))
    if (!found.includes(true))
      throw new UsageError(
        `to: there is no model ${to} of ${subjects.join(', ')}; \`holdshort models list\` shows what there is`,
      )
    return next
  })
}

/** Changes what serves some subjects, and says what does from then on. */
async function changeRegistry(
  { folder, kind }: Models,
  subjects: readonly string[],
  flags: Flags,
  change: (registry: Registry) => Promise<Registry>,
): Promise<void> {
  const lead = await leadHere(settingsOfInstallation(flags))
  const registry = await change(await readRegistry(folder))
  await writeRegistry(folder, registry)
  await lead.end()
  await printServing(folder, registry, { kind, subjects }, flags)
}

async function printServing(
  folder: string,
  registry: Registry,
  { kind, subjects }: { kind: TrainedKind; subjects: readonly string[] },
  flags: Flags,
): Promise<void> {
  const serving = await Promise.all(subjects.map((subject) => servingRow(folder, registry, { kind, subject })))
  const pinText = (to: string | null) => (to === null ? 'not pinned' : `the pin to ${to} holds`)
  print(serving, flags.json, () =>
    serving
      .map(
        ({ subject, version, served, pinned_to }) =>
          `${subject}: ${version} serves by ${served}, ${pinText(pinned_to)}`,
      )
      .join('\n'),
  )
}

async function rollback(airport: string, flags: Flags): Promise<void> {
  const models = modelsOf(flags)
  const { folder, kind } = models
  const subjects = await subjectsOf(models, await subjectOf(models, airport))
  await changeRegistry(models, subjects, flags, async (registry) => {
    const now = Date.now()
    const pinned_at = isoUtc(now)
    let next = registry
    for (const subject of subjects) {
      const modelSubject = { kind, subject }
      const order = await servingOrder(folder, registry, modelSubject, now)
      const serving = await servingFolder(folder, registry, modelSubject, now)
      const before = order[serving === null ? 0 : order.indexOf(serving) + 1]
      if (before) next = withPin(next, { kind, subject, to: shortVersion(before), pinned_at })
    }
    if (next === registry) throw new UsageError(`airport: ${airport} has no version before the one that serves`)
    return next
  })
}

async function promoteTraining(name: string, flags: Flags & { airport?: string }): Promise<void> {
  const models = modelsOf(flags)
  const { folder: modelsDir, kind } = models
  const subject = flags.airport === undefined ? null : await subjectOf(models, flags.airport)
  const training = await readTraining(modelsDir, kind, name)
  const settings = settingsOfInstallation(flags)
  await using _lead = await leadHere(settings)
  await using warehouse = await openCommandWarehouse(settings)
  const promotion = { modelsDir, training, subject, promoted_at: isoUtc(Date.now()), by: userName() }
  const champions = await promote(warehouse, promotion)
  const subjects = champions.map((champion) => champion.subject)
  await printServing(modelsDir, await readRegistry(modelsDir), { kind, subjects }, flags)
}

/** The user who runs the command; a user without a name has a number. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim()
  }
}
