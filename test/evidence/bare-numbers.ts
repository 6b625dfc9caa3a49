import { isObject, type Json, type JsonObject } from './unexplained.ts'

/** Numbers that need no evidence, by the end of their path: inputs, counts and what is calculated from them. */
const NEEDS_NO_EVIDENCE: [path: RegExp, reason: string][] = [
  [
    /\.(total|possible|hours_unknown|open_now|with_figure|held_reports|airlines|weight|rank)$/,
    'counts and shares of the listed rows',
  ],
  [
    /\.(latitude|longitude|elevation_ft|length_ft|width_ft|runway_count|longest_runway_ft)$/,
    'location and runways of an airport',
  ],
  [/\.(age_seconds|low|high|p10|p90|confidence|probability|coverage_80)$/, 'are evidence of another number'],
  [/(\.samples|\.backtest\.\w+|_mae_minutes|\.horizon_hours)$/, 'samples and scores of a figure'],
  [/\.(day_of_week|hour)$/, 'time'],
  [/\.milliseconds$/, 'waiting time for a source'],
  [/\.(threshold_minutes|connected_browsers|replaced_reports|agreeing_reports)$/, 'the caller’s order and its effect'],
  [/^submit_wait_time_report\.wait_minutes$/, 'the caller’s own report'],
  [
    /^check_schengen_days\.(?!membership)/,
    'days calculated from the caller’s stays; the dated facts are under `membership`',
  ],
  [
    /^get_best_time_to_fly\.(.*\.probability|.*minutes_later|risk\[\d+\]\.minutes|confidence)$/,
    'calculated from the steps in the answer, or the caller’s',
  ],
  [
    /^get_historical_wait_times\.(?!hours)/,
    'calculated from the observed hours, whose number, basis and source stand beside it',
  ],
]

/** The objects that contain a number, innermost first. */
type Containers = JsonObject[]

const isPresent = (value: Json | undefined) => value !== null && value !== undefined && value !== ''

/** A reference fact: with its page, and its date or a caution. Baggage limits have these in a field of their own. */
const isFact = (object: JsonObject): boolean =>
  (isObject(object.limits_evidence) && isFact(object.limits_evidence)) ||
  (isPresent(object.source) && 'as_of' in object && (isPresent(object.as_of) || isPresent(object.caution)))
/** The wait that a forecast was adjusted to: it has the instant instead of an age. */
const isAdjustedTo = (object: JsonObject) => 'expected_minutes' in object && isPresent(object.observed_at)
/** An observation: measured or reported, with its source and its age, hour or instant. */
const isObserved = (object: JsonObject) =>
  (object.basis === 'measured' || object.basis === 'reported') &&
  isPresent(object.source) &&
  (typeof object.age_seconds === 'number' || isPresent(object.time) || isAdjustedTo(object))
/** A forecast issued by an authority. */
const isIssued = (object: JsonObject) => isPresent(object.issued_at) && isPresent(object.source)
/** The model of a forecast: in the fields of the object, on a model card, or in a direction of a border. */
const isModel = (object: JsonObject) =>
  (object.basis === 'predicted' || object.basis === 'typical') &&
  (isPresent(object.source) || isPresent(object.version) || isPresent(object.model))
const hasModel = (object: JsonObject) =>
  isModel(object) || Object.values(object).some((part) => isObject(part) && isModel(part))
const hasProbability = ({ low, high, probability, confidence }: JsonObject) =>
  (typeof low === 'number' && typeof high === 'number') || typeof (probability ?? confidence) === 'number'

/** A step or closing time of a departure: by a page, by the caller, or assumed, and it says which. */
const isStep = ({ basis, source, p90_minutes }: JsonObject) =>
  isPresent(source) &&
  (basis === 'published' || basis === 'assumed' || basis === 'caller' || (isPresent(basis) && isPresent(p90_minutes)))

const hasEvidence = (containers: Containers) =>
  containers.slice(0, 1).some(isStep) ||
  containers.some((object) => isFact(object) || isObserved(object) || isIssued(object)) ||
  (containers.slice(0, 1).some(hasProbability) && containers.some(hasModel))

/** Every number of a tool's answer without basis, source and age, or without model and probability, in the objects that contain it. */
export function numbersWithoutEvidence(value: Json, path: string, containers: Containers = []): string[] {
  if (typeof value === 'number') {
    const needsNone = NEEDS_NO_EVIDENCE.some(([pattern]) => pattern.test(path))
    return needsNone || hasEvidence(containers) ? [] : [`${path}: ${value}`]
  }
  if (Array.isArray(value))
    return value.flatMap((element, at) => numbersWithoutEvidence(element, `${path}[${at}]`, containers))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, field]) =>
    numbersWithoutEvidence(field, `${path}.${key}`, [value, ...containers]),
  )
}
