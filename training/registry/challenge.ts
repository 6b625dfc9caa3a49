import type { SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import type { RunSettings } from '../settings/run-settings.ts'
import { championOf, type Registry } from './registry.ts'
import { compareRuns, type TrainingRun } from './runs.ts'

type RunAirport = TrainingRun['airports'][number]

/**
 * Decides for each airport of a new run whether its model replaces the one that serves (the champion). Both were backtested by the past
 * alone; on the days that both scored, a new model that lost clearly more is held back. Returns the run with the reasons.
 */
export function challenged(
  run: TrainingRun,
  earlier: readonly TrainingRun[],
  registry: Registry,
  settings: RunSettings['challenger'],
): TrainingRun {
  const airports = run.airports.map((airport) => {
    const { subject, version } = airport
    const champion = championRun(registry, earlier, { kind: run.kind, subject, version })
    return Object.assign({}, airport, { held: champion ? reasonToHold(run, airport, champion, settings) : null })
  })
  return Object.assign({}, run, { airports })
}

/** The run of the champion that a new model challenges; by the runs alone where the registry names none. */
function championRun(
  registry: Registry,
  earlier: readonly TrainingRun[],
  { kind, subject, version }: { kind: TrainingRun['kind']; subject: string; version: string },
): TrainingRun | undefined {
  const named = championOf(registry, { kind, subject })?.version
  if (named === version) return undefined
  const isChampion = (of: RunAirport) =>
    of.subject === subject && (named === undefined ? of.held === null && of.version !== version : of.version === named)
  return earlier.findLast(({ airports }) => airports.some(isChampion))
}

/** Why an airport's new model does not serve; null when it does. */
function reasonToHold(
  run: TrainingRun,
  airport: RunAirport,
  champion: TrainingRun,
  { margin, min_days }: RunSettings['challenger'],
): string | null {
  const alone = (of: TrainingRun): TrainingRun =>
    Object.assign({}, of, { airports: of.airports.filter(({ subject }) => subject === airport.subject) })
  const { days, pinball } = compareRuns(alone(run), alone(champion))
  if (!pinball || days < min_days || !isClearlyWorse(pinball, margin)) return null
  const worse = (-100 * pinball.skill).toFixed(1)
  return `on ${days} days that both scored its pinball loss is ${worse} % above that of ${champion.name}, more than the margin of ${(100 * margin).toFixed(1)} %`
}

/** Beyond the margin, and no chance of the days. */
const isClearlyWorse = ({ skill, high }: SkillInterval, margin: number) => skill < -margin && high < 0

/** A run whose models serve nowhere. */
export function unpublished(run: TrainingRun): TrainingRun {
  const airports = run.airports.map((airport) =>
    Object.assign({}, airport, { held: 'an experiment that was not published' }),
  )
  return Object.assign({}, run, { airports })
}
