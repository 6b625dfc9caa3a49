import { isObject, type Json, type JsonObject } from './unexplained.ts'

/** Numbers that say nothing of the world, by the end of their path: what was asked, counted or reckoned from that. */
const NEEDS_NONE: [path: RegExp, why: string][] = [
  [/\.(total|with_figure|held_reports|airlines|weight|rank)$/, 'counts and shares of what is listed'],
  [/\.(latitude|longitude|elevation_ft|length_ft|width_ft)$/, 'where an airport lies and how it is built'],
  [/\.(age_seconds|low|high|p10|p90|confidence|probability|coverage_80)$/, 'stand beside a number themselves'],
  [/(\.samples|\.backtest\.\w+|_mae_minutes|\.horizon_hours)$/, 'what a figure rests on'],
  [/\.(day_of_week|hour)$/, 'when'],
  [/\.milliseconds$/, 'how long a source was waited for'],
  [
    /\.(threshold_minutes|connected_browsers|replaced_reports|agreeing_reports)$/,
    'an order given, and what became of it',
  ],
  [/^submit_wait_time_report\.wait_minutes$/, 'the caller’s own words'],
  [
    /^check_schengen_days\.(?!membership)/,
    'days reckoned from the caller’s stays; the dated facts stand under `membership`',
  ],
  [/^get_historical_wait_times\.(coverage|pattern\[\d+\]\.(p50|p90))$/, 'reckoned from the observed hours beside it'],
]

/** Objects that stand around a number, from the nearest out. */
type Around = JsonObject[]

const known = (value: Json | undefined) => value !== null && value !== undefined && value !== ''

/** A fact on file: of which page, and of when, or why that is doubted; limits of bags have theirs in a field. */
const isFact = (one: JsonObject): boolean =>
  (isObject(one.limits_evidence) && isFact(one.limits_evidence)) ||
  (known(one.source) && 'as_of' in one && (known(one.as_of) || known(one.caution)))
/** What an authority published: measured or reported, by whom, and how old, or in which hour. */
const isObserved = (one: JsonObject) =>
  (one.basis === 'measured' || one.basis === 'reported') &&
  known(one.source) &&
  (typeof one.age_seconds === 'number' || known(one.time))
/** A forecast as an authority issued it. */
const isIssued = (one: JsonObject) => known(one.issued_at) && known(one.source)
/** The model behind a forecast: in its own fields, on a card, or one of the directions of a border. */
const isModel = (one: JsonObject) =>
  (one.basis === 'predicted' || one.basis === 'typical') &&
  (known(one.source) || known(one.version) || known(one.model))
const hasModel = (one: JsonObject) => isModel(one) || Object.values(one).some((part) => isObject(part) && isModel(part))
const hasProbability = ({ low, high, probability, confidence }: JsonObject) =>
  (typeof low === 'number' && typeof high === 'number') || typeof (probability ?? confidence) === 'number'

const stands = (around: Around) =>
  around.some((one) => isFact(one) || isObserved(one) || isIssued(one)) ||
  (around.slice(0, 1).some(hasProbability) && around.some(hasModel))

/** Every number of a tool's answer that does not stand beside its basis, source and age, or its model and probability. */
export function bare(value: Json, path: string, around: Around = []): string[] {
  if (typeof value === 'number')
    return stands(around) || NEEDS_NONE.some(([pattern]) => pattern.test(path)) ? [] : [`${path}: ${value}`]
  if (Array.isArray(value)) return value.flatMap((one, at) => bare(one, `${path}[${at}]`, around))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, one]) => bare(one, `${path}.${key}`, [value, ...around]))
}
