import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { HoldshortError, UsageError } from '../../config/errors.ts'
import { groupBy } from '../../config/group-by.ts'
import { getOrCreate } from '../../config/once.ts'
import { UtcInstant } from '../../config/vocabulary.ts'
import { type DayLosses, pairedSkill, type SkillInterval } from '../../forecasting/skill/bootstrap.ts'
import { writeWhole } from '../../warehouse/storage/files.ts'
import { TRAINING_NAME, TRAININGS_FOLDER, trainingFile } from '../../warehouse/storage/model-files.ts'
import { readOrdinaryText } from '../../warehouse/storage/ordinary-file.ts'
import type { BacktestScoreRow } from '../../warehouse/tables/scores.ts'
import { TRAINED_KINDS } from '../settings/kinds.ts'
import { namesIn } from './registry.ts'

const DaySums = z.strictObject({
  day: z.string(),
  from_hours: z.int(),
  samples: z.int(),
  error_minutes: z.number(),
  pinball_minutes: z.number(),
  /** Error of the baseline on the same hours; absent in trainings of earlier releases. */
  baseline_error_minutes: z.number().optional(),
  baseline_pinball_minutes: z.number().optional(),
})
export type DaySums = z.infer<typeof DaySums>

/** The record of a training: its settings, its span, and the losses of its backtest by airport and day. Kept when the models are pruned. */
export const Training = z.strictObject({
  format: z.literal(1),
  name: z.string(),
  kind: z.enum(TRAINED_KINDS),
  trained_at: UtcInstant,
  cutoff: UtcInstant,
  settings: z.record(z.string(), z.unknown()),
  settings_digest: z.string(),
  airports: z.array(
    z.strictObject({
      subject: z.string(),
      /** Version of the model without its prefix, as its folder is named. */
      version: z.string(),
      /** Why the earlier model goes on serving; null when this one serves. */
      held: z.string().nullable(),
      days: z.array(DaySums),
    }),
  ),
})
export type Training = z.infer<typeof Training>

/** Unnamed trainings, one a day, are kept for two months; named ones for ever. */
const RETAINED_UNNAMED = 60
const UNNAMED = /^\d{4}-\d\d-\d\dT\d\dZ-[0-9a-f]{12}(\.\d+)?$/

/** Checks the name of a training. @throws UsageError */
export function trainingName(value: string): string {
  if (TRAINING_NAME.test(value)) return value
  throw new UsageError(`--name: "${value}" must be 1 to 80 letters, digits, dots, hyphens or underscores`)
}

const trainingsFolder = (modelsDir: string) => join(modelsDir, TRAININGS_FOLDER)
const fileOf = (modelsDir: string, kind: string, name: string) =>
  join(trainingsFolder(modelsDir), kind, trainingFile(name))

export async function saveTraining(modelsDir: string, training: Training): Promise<void> {
  const path = fileOf(modelsDir, training.kind, training.name)
  await mkdir(join(trainingsFolder(modelsDir), training.kind), { recursive: true })
  await writeWhole(path, `${JSON.stringify(Training.parse(training))}\n`)
}

/** All trainings of a kind, oldest first. */
export async function listTrainings(modelsDir: string, kind: string): Promise<Training[]> {
  const names = (await namesIn(join(trainingsFolder(modelsDir), kind))).filter((name) => name.endsWith('.json'))
  const trainings = await Promise.all(
    names.map((name) => readTraining(modelsDir, kind, name.slice(0, -'.json'.length))),
  )
  return trainings.sort((a, b) => (a.trained_at < b.trained_at ? -1 : 1))
}

/** @throws UsageError when there is none of this name */
export async function readTraining(modelsDir: string, kind: string, name: string): Promise<Training> {
  const text = await readOrdinaryText(fileOf(modelsDir, kind, trainingName(name))).catch(() => {
    throw new UsageError(`no ${kind} training is named "${name}"; \`holdshort models list\` lists them`)
  })
  try {
    return Training.parse(JSON.parse(text))
  } catch (cause) {
    throw new HoldshortError('MODEL_INVALID', `training ${name}: ${(cause as Error).message}`, { cause })
  }
}

/** Whether somebody named the training, which keeps it and its models for ever. */
export const isNamed = ({ name }: Pick<Training, 'name'>): boolean => !UNNAMED.test(name)

const versionsOf = ({ airports }: Training) => JSON.stringify(airports.map(({ version }) => version))

/**
 * The name of a training that nobody named: its cutoff and the digest of its settings, with a number where earlier trainings have that name and
 * made other models.
 */
export function freeName(training: Training, earlier: readonly Training[]): string {
  const first = `${training.cutoff.slice(0, 13)}Z-${training.settings_digest}`
  const isTaken = (name: string) =>
    earlier.some((other) => other.name === name && versionsOf(other) !== versionsOf(training))
  let name = first
  for (let number = 2; isTaken(name); number += 1) name = `${first}.${number}`
  return name
}

/** Removes the oldest trainings that nobody named. */
export async function pruneTrainings(modelsDir: string, trainings: readonly Training[]): Promise<void> {
  const unnamed = trainings.filter((training) => !isNamed(training))
  for (const { kind, name } of unnamed.slice(0, Math.max(0, unnamed.length - RETAINED_UNNAMED)))
    await rm(fileOf(modelsDir, kind, name), { force: true })
}

/** Sums of the backtest of one airport by day and hours ahead, of what would have been served. */
export function daySums(rows: readonly BacktestScoreRow[]): DaySums[] {
  const sums = new Map<string, ReturnType<typeof noSums>>()
  for (const row of rows) {
    const { day, from_hours } = row
    const key = `${day}/${from_hours}`
    const sum = getOrCreate(sums, key, () => noSums(day, from_hours))
    sum.samples += row.samples
    sum.error_minutes += row.error_minutes
    sum.pinball_minutes += row.pinball_minutes
    sum.baseline_error_minutes += row.baseline_error_minutes
    sum.baseline_pinball_minutes += row.baseline_pinball_minutes
  }
  return [...sums.values()]
}

const noSums = (day: string, from_hours: number) => ({
  day,
  from_hours,
  samples: 0,
  error_minutes: 0,
  pinball_minutes: 0,
  baseline_error_minutes: 0,
  baseline_pinball_minutes: 0,
})

export function skillOfTraining({ airports }: Training) {
  const days = airports.flatMap(({ subject, days: ownDays }) => ownDays.map((sums) => ({ subject, sums })))
  const hours = days.reduce((sum, { sums }) => sum + sums.samples, 0)
  const compared = days.flatMap(({ subject, sums }): (DayLosses & { error: number })[] =>
    sums.baseline_pinball_minutes === undefined || sums.baseline_error_minutes === undefined
      ? []
      : [
          {
            iata: subject,
            day: Date.parse(sums.day),
            loss: sums.pinball_minutes,
            other_loss: sums.baseline_pinball_minutes,
            error: sums.baseline_error_minutes,
          },
        ],
  )
  if (compared.length < days.length || hours === 0) return { hours, baseline_mae_minutes: null, skill: null }
  const error = compared.reduce((sum, day) => sum + day.error, 0)
  return { hours, baseline_mae_minutes: error / hours, skill: pairedSkill(compared) }
}

interface PairedDay {
  subject: string
  day: string
  from_hours: number
  own: DaySums
  other: DaySums
}

/**
 * Compares two trainings on the airports, days and hours ahead that both scored, by their mean losses: the share by which the
 * first lost less than the second. With other hours on these days (`same_hours`) each counts by the loss of the baseline on its
 * own hours.
 */
export function compareTrainings(own: Training, other: Training) {
  const pairs = pairedDays(own, other)
  const same_hours = onSameHours(pairs)
  const skillOf = (loss: Loss, list: readonly PairedDay[]) => pairedSkill(lossesBy(loss, list, same_hours))
  const pinball = skillOf('pinball_minutes', pairs)
  const subjects = [...new Set(pairs.map(({ subject }) => subject))].sort()
  const horizons = [...new Set(pairs.map(({ from_hours }) => from_hours))].sort((a, b) => a - b)
  const days = new Set(pairs.map(({ day }) => day)).size
  return {
    airports: subjects.length,
    days,
    samples: pairs.reduce((sum, pair) => sum + Math.min(pair.own.samples, pair.other.samples), 0),
    same_hours,
    mae: skillOf('error_minutes', pairs),
    pinball,
    by_horizon: horizons.map((from_hours) => ({
      from_hours,
      pinball: skillOf(
        'pinball_minutes',
        pairs.filter((pair) => pair.from_hours === from_hours),
      ),
    })),
    by_airport: subjects.map((subject) => ({
      subject,
      pinball: skillOf(
        'pinball_minutes',
        pairs.filter((pair) => pair.subject === subject),
      ),
    })),
    sentence: `${sentenceOf(own.name, other.name, pinball, { airports: subjects.length, days })}${same_hours ? '' : OTHER_HOURS}`,
  }
}

function pairedDays(own: Training, other: Training): PairedDay[] {
  return own.airports.flatMap(({ subject, days }) => {
    const others = other.airports.find((airport) => airport.subject === subject)?.days ?? []
    const byKey = new Map(others.map((sums) => [`${sums.day}/${sums.from_hours}`, sums]))
    return days.flatMap((sums) => {
      const match = byKey.get(`${sums.day}/${sums.from_hours}`)
      return match && match.samples > 0 && sums.samples > 0
        ? [{ subject, day: sums.day, from_hours: sums.from_hours, own: sums, other: match }]
        : []
    })
  })
}

type Loss = 'error_minutes' | 'pinball_minutes'

/** Two trainings with other origins forecast other hours of a day. The error of the baseline's median depends on the hours alone. */
const onSameHours = (pairs: readonly PairedDay[]): boolean =>
  pairs.every(
    ({ own, other }) =>
      own.samples === other.samples &&
      Math.abs((own.baseline_error_minutes ?? 0) - (other.baseline_error_minutes ?? 0)) < SAME_MINUTES,
  )
const SAME_MINUTES = 1e-6

/**
 * Both losses by airport and day. Hours of one training can be harder than those of the other: then the losses of the other are those that
 * it would have if the baseline lost as much on its hours, by airport and hours ahead.
 */
function lossesBy(loss: Loss, pairs: readonly PairedDay[], same_hours: boolean): DayLosses[] {
  const factors = same_hours ? null : harderBy(loss, pairs)
  return pairs.map((pair) => ({
    iata: pair.subject,
    day: Date.parse(pair.day),
    loss: pair.own[loss],
    other_loss: pair.other[loss] * (factors?.get(groupOf(pair)) ?? 1),
  }))
}

const groupOf = ({ subject, from_hours }: PairedDay) => `${subject}/${from_hours}`

/** How many times as much the baseline lost on the hours of the first training; by their number where that is not known. */
function harderBy(loss: Loss, pairs: readonly PairedDay[]): Map<string, number> {
  const ratios = [...groupBy(pairs, groupOf)].map(([group, list]): [string, number] => {
    const sumOf = (partOf: (pair: PairedDay) => number) => list.reduce((sum, pair) => sum + partOf(pair), 0)
    const own = sumOf((pair) => pair.own[`baseline_${loss}`] ?? 0)
    const other = sumOf((pair) => pair.other[`baseline_${loss}`] ?? 0)
    if (own > 0 && other > 0) return [group, own / other]
    return [group, sumOf((pair) => pair.own.samples) / sumOf((pair) => pair.other.samples)]
  })
  return new Map(ratios)
}

const OTHER_HOURS =
  ' They forecast other hours of these days: each is measured by what the baseline lost on its own hours.'

const percent = (share: number) => `${Math.abs(100 * share).toFixed(1)} %`

function sentenceOf(
  own: string,
  other: string,
  pinball: SkillInterval | null,
  { airports, days }: { airports: number; days: number },
): string {
  if (!pinball) return `${own} and ${other} cannot be compared: they scored no airport on the same day.`
  const where = `on ${days} days at ${airports} ${airports === 1 ? 'airport' : 'airports'} (95 %: ${range(pinball)})`
  if (pinball.low > 0)
    return `${own} is better than ${other}: its pinball loss is ${percent(pinball.skill)} lower ${where}.`
  if (pinball.high < 0)
    return `${own} is worse than ${other}: its pinball loss is ${percent(pinball.skill)} higher ${where}.`
  return `${own} and ${other} cannot be told apart ${where}.`
}

/** A skill as words: 7.2 % lower. */
export const side = (skill: number) => `${percent(skill)} ${skill < 0 ? 'higher' : 'lower'}`
const range = ({ low, high }: SkillInterval) => `${side(low)} to ${side(high)}`
