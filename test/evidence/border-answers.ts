import { BORDER_WAIT_FIGURES } from '../../config/reference/schengen.ts'
import { borderExpected, borderReadings, DIRECTIONS, type Direction } from './border-evidence.ts'
import { type Evidence, minutesOf } from './evidence.ts'
import { isObject, type JsonObject, sameSecond, text } from './unexplained.ts'

/** The faults of an object of a border answer, and the paths of its figures that rest on evidence. */
interface Explained {
  faults: string[]
  explained: string[]
}
type Explain = (object: JsonObject, airport: string, evidence: Evidence) => Explained

/** Explains an object of a border answer; null for any other object. */
export function explainBorder(object: JsonObject, airport: string, evidence: Evidence): Explained | null {
  const explain = EXPLAIN.find(([fields]) => fields.every((name) => name in object))?.[1]
  return explain ? explain(object, airport, evidence) : null
}

/** The wait of each direction is between the waits of its queues, and one of them was observed at the given time. */
const currentWaits: Explain = (row, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: [] }
  if ((row.entry === null || row.exit === null) && text(row.unavailable_reason) === '')
    faults.push(': no figure and no reason')
  for (const name of DIRECTIONS) {
    const wait = row[name]
    if (!isObject(wait)) continue
    explained.push(`.${name}.wait_minutes`)
    const rows = borderReadings(evidence, airport, name, text(wait.source).split('+'))
    const waits = rows.map((row) => minutesOf(row) ?? Number.NaN)
    const minutes = Number(wait.wait_minutes)
    const within = minutes >= Math.floor(Math.min(...waits)) && minutes <= Math.ceil(Math.max(...waits))
    if (!within || !rows.some((row) => sameSecond(row, wait.observed_at)))
      faults.push(`.${name}: ${minutes} does not follow from ${waits}`)
    if (wait.basis !== (text(wait.source).includes('crowd') ? 'reported' : 'measured'))
      faults.push(`.${name}.basis: ${wait.basis} of ${wait.source}`)
  }
  return { faults, explained }
}

/** The minutes of a past figure are those of the reference file. */
const pastFigure: Explain = (figure) => {
  const row = BORDER_WAIT_FIGURES.rows().find(({ fact, place }) => fact === figure.fact && place === figure.place)
  const same = row?.min_minutes === figure.min_minutes && row?.max_minutes === figure.max_minutes
  return { faults: same ? [] : [': is not in the reference file'], explained: ['.min_minutes', '.max_minutes'] }
}

const forecastHour: Explain = (hour, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: [] }
  for (const name of DIRECTIONS) {
    const forecast = hour[name]
    const expected = borderExpected(evidence, airport, name, Date.parse(text(hour.time)))
    if (isObject(forecast) !== (expected !== null)) faults.push(`.${name}: is missing or has no basis`)
    if (!isObject(forecast) || !expected) continue
    for (const figure of ['wait_minutes', 'low', 'high', 'samples'] as const) {
      explained.push(`.${name}.${figure}`)
      // Rounded to tenths first, then to minutes.
      if (!(Math.abs(Number(forecast[figure]) - Number(expected[figure])) <= 0.56))
        faults.push(`.${name}.${figure}: ${forecast[figure]} should be ${expected[figure]}`)
    }
  }
  return { faults, explained }
}

const forecastModels: Explain = (answer, airport) => {
  const versionPrefix = (name: Direction) => `baseline:${airport}/${name.replace('_direction', '')}@`
  const faults = DIRECTIONS.flatMap((name) => {
    const forecast = answer[name]
    if (!isObject(forecast)) return []
    const isValid =
      forecast.model === null
        ? forecast.basis === null && text(forecast.unavailable_reason) !== ''
        : forecast.basis === 'predicted'
          ? text(forecast.model).startsWith(versionPrefix(name))
          : forecast.basis === 'typical' &&
            text(forecast.model).startsWith('prior:immigration@') &&
            text(forecast.note) !== ''
    return isValid ? [] : [`.${name}: ${forecast.model} is not its model, or the reason is missing`]
  })
  return { faults, explained: [] }
}

/** Objects are recognised by fields that only they have. */
const EXPLAIN: [fields: string[], Explain][] = [
  [['publisher_known'], currentWaits],
  [['place', 'fact'], pastFigure],
  [['unknown_direction', 'local_time'], forecastHour],
  [['unknown_direction', 'hours'], forecastModels],
]
