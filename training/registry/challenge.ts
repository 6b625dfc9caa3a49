import type { SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import type { TrainingSettings } from '../settings/training-settings.ts'
import { championOf, type Registry } from './registry.ts'
import { compareTrainings, type Training } from './trainings.ts'

type AirportOfTraining = Training['airports'][number]

/**
 * Decides for each airport of a new training whether its model replaces the one that serves (the champion). Both were backtested by the past
 * alone; on the days that both scored, a new model that lost clearly more is held back. Returns the training with the reasons.
 */
export function challenged(
  training: Training,
  earlier: readonly Training[],
  registry: Registry,
  settings: TrainingSettings['challenger'],
): Training {
  const airports = training.airports.map((airport) => {
    const { subject, version } = airport
    const champion = championTraining(registry, earlier, { kind: training.kind, subject, version })
    return { ...airport, held: champion ? reasonToHold(training, airport, champion, settings) : null }
  })
  return { ...training, airports }
}

/** The training of the champion that a new model challenges; by the trainings alone where the registry names none. */
function championTraining(
  registry: Registry,
  earlier: readonly Training[],
  { kind, subject, version }: { kind: Training['kind']; subject: string; version: string },
): Training | undefined {
  const named = championOf(registry, { kind, subject })?.version
  if (named === version) return undefined
  const isChampion = (candidate: AirportOfTraining) =>
    candidate.subject === subject &&
    (named === undefined ? candidate.held === null && candidate.version !== version : candidate.version === named)
  return earlier.findLast(({ airports }) => airports.some(isChampion))
}

/** Why an airport's new model does not serve; null when it does. */
function reasonToHold(
  training: Training,
  airport: AirportOfTraining,
  champion: Training,
  { margin, min_days }: TrainingSettings['challenger'],
): string | null {
  const alone = (training: Training): Training => ({
    ...training,
    airports: training.airports.filter(({ subject }) => subject === airport.subject),
  })
  const { days, pinball } = compareTrainings(alone(training), alone(champion))
  if (!pinball || days < min_days || !isClearlyWorse(pinball, margin)) return null
  const worse = (-100 * pinball.skill).toFixed(1)
  return `on ${days} days that both scored its pinball loss is ${worse} % above that of ${champion.name}, more than the margin of ${(100 * margin).toFixed(1)} %`
}

/** Beyond the margin, and no chance of the days. */
const isClearlyWorse = ({ skill, high }: SkillInterval, margin: number) => skill < -margin && high < 0

/** A training whose models serve nowhere. */
export function unpublished(training: Training): Training {
  const airports = training.airports.map((airport) => ({ ...airport, held: 'an experiment that was not published' }))
  return { ...training, airports }
}
