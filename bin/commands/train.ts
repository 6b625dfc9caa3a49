import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { usableMemory } from '../../config/machine-memory.ts'
import { dataPaths } from '../../config/settings.ts'
import { isoUtc } from '../../config/vocabulary.ts'
import { subjectName } from '../../training/history/hourly-series.ts'
import { trainingName } from '../../training/registry/trainings.ts'
import { TRAINED_KINDS, type TrainedKind } from '../../training/settings/kinds.ts'
import type { TrainingSettings } from '../../training/settings/training-settings.ts'
import { type TrainAllOptions, type TrainAllResult, trainAll } from '../../training/train-all.ts'
import { rollUp } from '../../warehouse/storage/rollup.ts'
import { leadHere, openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { anySettings, settingsOfInstallation } from '../runtime/environment.ts'
import { airportsFlag, instantFlag } from '../runtime/flags.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, printJson, progress, textTable } from '../runtime/output.ts'
import { endWithParent } from '../runtime/stop.ts'
import { openTasks } from '../runtime/tasks.ts'
import { SETTINGS_FLAG, trainedKindsFlag, trainingSettingsFlag } from '../runtime/training-flags.ts'

interface Flags extends DataFlags {
  kind?: string
  airport: string[]
  cutoff?: string
  settings?: string
  printSettings?: boolean
  allowNone?: boolean
  name?: string
  publish: boolean
}

/** `holdshort train`: trains, backtests and exports the models of all airports with enough history. */
export function register(program: Command): void {
  addDataCommand(program, 'train')
    .option('--airport <iata>', 'only this airport; repeatable', airportsFlag, [])
    .option('--kind <kind>', `only these queues: ${TRAINED_KINDS.join(' or ')} (default: all)`)
    .option('--cutoff <instant>', 'use only data known at this instant (default: when the newest hour became known)')
    .option(...SETTINGS_FLAG)
    .option('--name <name>', 'name of the training in `holdshort models`', trainingName)
    .option(
      '--no-publish',
      'keep the training and its models as an experiment; `holdshort models promote` serves them without training again',
    )
    .option('--print-settings', 'print the settings that the training would have, and end')
    .option('--allow-none', 'succeed also when no airport has enough history yet')
    .action((flags: Flags) => endWithParent(() => train(flags)))
}

async function train(flags: Flags): Promise<void> {
  const kinds = trainedKindsFlag(flags.kind)
  const training = trainingSettingsFlag(flags.settings, anySettings(flags))
  if (flags.printSettings) return printJson(training)
  const settings = settingsOfInstallation(flags)
  const cutoff = flags.cutoff === undefined ? {} : { cutoff: instantFlag('--cutoff', flags.cutoff) }
  // Its models would be newer than all of the next days.
  if ((cutoff.cutoff ?? 0) > Date.now()) throw new UsageError(`--cutoff: ${flags.cutoff} is in the future`)
  await using _lead = await leadHere(settings)
  await using warehouse = await openCommandWarehouse(settings)
  await using tasks = await openTasks(settings)
  // Models learn from hours, so that every day with new readings must be rolled up first.
  await rollUp(warehouse)
  const bar = progress('Training')
  const options: Omit<TrainAllOptions, 'kind'> = {
    now: Date.now(),
    settings: training,
    serves: flags.publish,
    tasks,
    modelsDir: dataPaths(settings.data_dir).models,
    memory: usableMemory(),
    ...cutoff,
    onProgress: (done, total) => bar.update(done, total),
  }
  if (flags.name !== undefined) options.name = flags.name
  if (flags.airport.length > 0) options.airports = flags.airport
  const result: Result = { trainings: [], rows: [], untrained: [], held: [], pinned: [] }
  for (const kind of kinds) {
    const { training: name, rows, untrained, held, pinned } = await trainAll(warehouse, { ...options, kind })
    result.trainings.push(name)
    result.rows.push(...rows)
    result.untrained.push(...untrained.map((airport) => ({ kind, ...airport })))
    result.held.push(...held)
    result.pinned.push(...pinned)
  }
  bar.end(`${countText(result.rows.length, 'model')} at ${isoUtc(Date.now())}`)
  const rows = result.rows.map((row) => [
    row.kind,
    row.model.slice(row.model.indexOf(':') + 1, row.model.indexOf('@')),
    row.served,
    row.served_mae_minutes.toFixed(2),
    row.baseline_mae_minutes.toFixed(2),
    row.served_pinball_minutes.toFixed(3),
    row.baseline_pinball_minutes.toFixed(3),
    row.coverage_80.toFixed(2),
    row.samples,
  ])
  const header = ['queue', 'airport', 'served', 'MAE', 'baseline MAE', 'pinball', 'baseline', 'coverage 80', 'hours']
  print(result, flags.json, () => [
    textTable(header, rows),
    ...(flags.publish ? whatDoesNotServe(result) : howToPromote(result, kinds)),
    ...result.untrained.map(
      ({ kind, iata, direction, code, reason }) => `${kind} ${subjectName({ iata, direction })}: ${code} (${reason})`,
    ),
  ])
  if (result.rows.length === 0 && !flags.allowNone) throw noneTrained(flags, result.untrained, training)
}

type Result = Omit<TrainAllResult, 'training' | 'untrained'> & {
  trainings: string[]
  untrained: (TrainAllResult['untrained'][number] & { kind: TrainedKind })[]
}

const whatDoesNotServe = ({ held, pinned }: Result) => [
  ...held.map(({ kind, subject, version, reason }) => `${kind} ${subject}: ${version} does not serve (${reason})`),
  ...pinned.map(
    ({ subject, version, pin: { kind, to, pinned_at } }) =>
      `${kind} ${subject}: the pin to ${to} holds since ${pinned_at}; ${version} was trained and does not change that`,
  ),
]

/** Explains promotion for each kind of queue that has models. */
function howToPromote({ trainings, rows }: Result, kinds: readonly TrainedKind[]): string[] {
  const commands = kinds.flatMap((kind, index) =>
    rows.some((row) => row.kind === kind) ? `\`holdshort models promote ${trainings[index]} --kind ${kind}\`` : [],
  )
  if (commands.length === 0) return []
  return [`This is an experiment: none of its models serves. To serve them: ${commands.join(', ')}.`]
}

function noneTrained(flags: Flags, untrained: Result['untrained'], { history }: TrainingSettings): HoldshortError {
  const need = `${history.min_hours} observed hours over ${history.min_days} days`
  const cutoff = flags.cutoff === undefined ? '' : ` before --cutoff ${flags.cutoff}`
  const airportsOf = (rows: Result['untrained']) => new Set(rows.map(({ iata }) => iata)).size
  const airports = airportsOf(untrained)
  const better = airportsOf(untrained.filter(({ prior_is_better }) => prior_is_better))
  if (better > 0)
    return new HoldshortError(
      'NOT_ENOUGH_HISTORY',
      `no model was trained: at ${countText(better, 'airport')} the prior, drawn to the readings, was clearly better in the backtest${cutoff}, and serves${airports > better ? `; ${airports - better} have not ${need}` : ''}`,
    )
  const few = airports === 1 ? 'the airport has not' : `none of ${airports} airports has`
  const found = airports === 0 ? 'the warehouse has no hourly history' : `${few} enough history`
  return new HoldshortError(
    'NOT_ENOUGH_HISTORY',
    `no model was trained: ${found}${cutoff}. An airport needs ${need}: collect for longer or \`holdshort import\` older waits`,
  )
}
