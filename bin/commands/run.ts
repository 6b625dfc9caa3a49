import type { Command } from 'commander'
import { countText } from '../../config/count-text.ts'
import { HoldshortError } from '../../config/errors.ts'
import { allSources, sourceById } from '../../config/sources.ts'
import type { CollectOutcome } from '../../pipeline/collecting/collect-context.ts'
import { collectSources } from '../../pipeline/collecting/collect-source.ts'
import { type ReplaySelection, replay } from '../../pipeline/collecting/replay.ts'
import { requireCollectable } from '../../pipeline/collectors/require-collectable.ts'
import { updateRecord } from '../../training/record/update-record.ts'
import { publish } from '../../warehouse/publishing/publish.ts'
import { readSimulatedMark } from '../../warehouse/storage/simulated-mark.ts'
import { leadHere, openCommandWarehouse } from '../runtime/command-warehouse.ts'
import { settingsFor, settingsOfExisting } from '../runtime/environment.ts'
import { dayFlag } from '../runtime/flags.ts'
import { addCommand, addDataCommand, type DataFlags } from '../runtime/help.ts'
import { sourcesOf } from '../runtime/installed-sources.ts'
import { openLog } from '../runtime/log.ts'
import { print, progress, textTable } from '../runtime/output.ts'
import { openPipeline } from '../runtime/pipeline.ts'
import { rollUpShown } from '../runtime/roll-up.ts'

const STEPS: ((run: Command) => void)[] = [collectCommand, replayCommand, rollupCommand, recordCommand, publishCommand]

/** `holdshort run <step>`: does one step of the pipeline now. */
export function register(program: Command): void {
  const run = addCommand(program, 'run')
  for (const add of STEPS) add(run)
}

function row({ source, iata, new_rows, parsed_rows, notices, error }: CollectOutcome) {
  return [
    source,
    iata ?? '',
    parsed_rows,
    new_rows,
    notices,
    error ? `${error.code}: ${error.message.slice(0, 80)}` : 'ok',
  ]
}

/** `holdshort run collect`: collects from some or all sources once, now. */
function collectCommand(program: Command): void {
  addDataCommand(program, 'run collect', 'print the outcomes as JSON')
    .argument('[source...]', 'source ids; see `holdshort sources`')
    .action(async (ids: string[], flags: DataFlags) => {
      const settings = settingsFor(flags)
      requireCollectable(allSources())
      const selected = ids.length > 0 ? ids.map(sourceById) : sourcesOf(settings).filter((source) => source.active)
      const inactive = selected.find((source) => !source.active)
      if (inactive)
        throw new HoldshortError('SOURCE_OFF', `source: ${inactive.id} is switched off: ${inactive.why_off}`)
      const pipeline = await openPipeline(settings, openLog(settings, 'collect'))
      const bar = progress('Collecting')
      const outcomes = await collectSources(selected, pipeline.collect, (done, total, id) =>
        bar.update(done, total, id),
      ).finally(pipeline.close)
      bar.end()
      const result = outcomes.map(({ error, ...rest }) => ({
        ...rest,
        error: error ? { code: error.code, message: error.message } : null,
      }))
      print(result, flags.json, () =>
        textTable(['source', 'airport', 'rows', 'new', 'notices', 'outcome'], outcomes.map(row)),
      )
      if (outcomes.length > 0 && outcomes.every(({ error }) => error)) process.exitCode = 1
    })
}

/** `holdshort run replay`: parses stored captures again, so that a repaired parser repairs history. */
function replayCommand(program: Command): void {
  addDataCommand(program, 'run replay', 'print the report as JSON')
    .argument('[source]', 'only this source')
    .option('--from <day>', 'first UTC day, YYYY-MM-DD')
    .option('--to <day>', 'last UTC day, YYYY-MM-DD')
    .action(async (source: string | undefined, flags: DataFlags & { from?: string; to?: string }) => {
      if (source !== undefined) sourceById(source)
      const selection: ReplaySelection = {}
      if (source !== undefined) selection.source = source
      if (flags.from !== undefined) selection.from = dayFlag('--from', flags.from)
      if (flags.to !== undefined) selection.to = dayFlag('--to', flags.to)
      await using warehouse = await openCommandWarehouse(settingsOfExisting(flags))
      const bar = progress('Replaying captures')
      const report = await replay(warehouse, selection, (done, total) => bar.update(done, total))
      bar.end()
      print(report, flags.json, () => [
        `${countText(report.captures, 'capture')} parsed again, ${countText(report.rows, 'row')}, ${report.failed.length} failed`,
        ...report.failed.map(({ capture, code, message }) => `  ${capture}: ${code} ${message}`),
      ])
    })
}

/** `holdshort run rollup`: computes the hourly rollups of every day that has newer readings or runs. */
function rollupCommand(program: Command): void {
  addDataCommand(program, 'run rollup')
    .option('--all', 'every day, including days that are up to date')
    .action(async (flags: DataFlags & { all?: boolean }) => {
      await using warehouse = await openCommandWarehouse(settingsOfExisting(flags))
      const days = await rollUpShown(warehouse, flags.all)
      print({ days }, flags.json, () => `${countText(days, 'day')} rolled up`)
    })
}

/** `holdshort run record`: scores all forecasts whose hours came true, as the pipeline does every hour. */
function recordCommand(program: Command): void {
  addDataCommand(program, 'run record').action(async (flags: DataFlags) => {
    await using warehouse = await openCommandWarehouse(settingsOfExisting(flags))
    const bar = progress('Scoring')
    const { days, changes } = await updateRecord(warehouse, {
      now: Date.now(),
      maxDays: Number.POSITIVE_INFINITY,
      onProgress: (done, total) => bar.update(done, total, 'days'),
    })
    bar.end()
    const drift = changes.map(({ iata, state, reason }) => ({ airport: iata, state, reason }))
    print({ days, drift }, flags.json, () =>
      [`${days} days scored`, ...drift.map(({ airport, reason }) => `${airport}: ${reason}`)].join('\n'),
    )
  })
}

/** `holdshort run publish`: publishes a snapshot of the warehouse in its current state. */
function publishCommand(program: Command): void {
  addDataCommand(program, 'run publish').action(async (flags: DataFlags) => {
    const settings = settingsOfExisting(flags)
    await using lead = await leadHere(settings)
    await using warehouse = await openCommandWarehouse(settings)
    const simulated = (await readSimulatedMark(settings.data_dir)) ?? false
    const { beforeCurrent } = lead
    const options = { now: Date.now(), simulated, beforeCurrent }
    const snapshot = await publish(warehouse, options)
    print({ snapshot }, flags.json, () => `published ${snapshot}`)
  })
}
