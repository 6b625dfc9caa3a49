import { BORDER_WAIT_FIGURES } from '../../config/reference/schengen.ts'
import { borderExpected, borderReadings, DIRECTIONS, type Direction } from './border.ts'
import { type Evidence, minutesOf } from './evidence.ts'
import { isObject, type JsonObject, sameSecond, text } from './unexplained.ts'

/** What is wrong with an object of a border answer, and which of its figures have something behind them, by path. */
interface Explained {
  faults: string[]
  explained: string[]
}
type Explain = (object: JsonObject, airport: string, evidence: Evidence) => Explained

/** The same for any object; null for one that is of no border answer. */
export function explainBorder(object: JsonObject, airport: string, evidence: Evidence): Explained | null {
  const explain = EXPLAIN.find(([fields]) => fields.every((name) => name in object))?.[1]
  return explain ? explain(object, airport, evidence) : null
}

/** Each direction lies between the waits of its queues, one of which was seen when it says. */
const now: Explain = (row, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: [] }
  if ((row.entry === null || row.exit === null) && text(row.unavailable_reason) === '')
    faults.push(': no figure and no reason')
  for (const name of DIRECTIONS) {
    const wait = row[name]
    if (!isObject(wait)) continue
    explained.push(`.${name}.wait_minutes`)
    const behind = borderReadings(evidence, airport, name, text(wait.source).split('+'))
    const waits = behind.map((one) => minutesOf(one) ?? Number.NaN)
    const minutes = Number(wait.wait_minutes)
    const within = minutes >= Math.floor(Math.min(...waits)) && minutes <= Math.ceil(Math.max(...waits))
    if (!within || !behind.some((one) => sameSecond(one, wait.observed_at)))
      faults.push(`.${name}: ${minutes} is not of ${waits}`)
    if (wait.basis !== (text(wait.source).includes('crowd') ? 'reported' : 'measured'))
      faults.push(`.${name}.basis: ${wait.basis} of ${wait.source}`)
  }
  return { faults, explained }
}

/** Minutes that a page named once are those on file. */
const quoted: Explain = (figure) => {
  const row = BORDER_WAIT_FIGURES.rows().find(({ fact, place }) => fact === figure.fact && place === figure.place)
  const same = row?.min_minutes === figure.min_minutes && row?.max_minutes === figure.max_minutes
  return { faults: same ? [] : [': is not on file'], explained: ['.min_minutes', '.max_minutes'] }
}

const hour: Explain = (told, airport, evidence) => {
  const { faults, explained }: Explained = { faults: [], explained: [] }
  for (const name of DIRECTIONS) {
    const one = told[name]
    const found = borderExpected(evidence, airport, name, Date.parse(text(told.time)))
    if (isObject(one) !== (found !== null)) faults.push(`.${name}: is missing or made up`)
    if (!isObject(one) || !found) continue
    for (const figure of ['wait_minutes', 'low', 'high', 'samples'] as const) {
      explained.push(`.${name}.${figure}`)
      // Rounded to tenths first, then to minutes.
      if (!(Math.abs(Number(one[figure]) - found[figure]) <= 0.56))
        faults.push(`.${name}.${figure}: ${one[figure]} should be ${found[figure]}`)
    }
  }
  return { faults, explained }
}

const models: Explain = (forecast, airport) => {
  const named = (name: Direction) => `baseline:${airport}/${name.replace('_direction', '')}@`
  const faults = DIRECTIONS.flatMap((name) => {
    const one = forecast[name]
    if (!isObject(one)) return []
    const sound =
      one.model === null
        ? one.basis === null && text(one.unavailable_reason) !== ''
        : one.basis === 'predicted' && text(one.model).startsWith(named(name))
    return sound ? [] : [`.${name}: ${one.model} is no model of it, or there is no reason`]
  })
  return { faults, explained: [] }
}

/** By the fields that only such objects have. */
const EXPLAIN: [fields: string[], Explain][] = [
  [['publisher_known'], now],
  [['place', 'fact'], quoted],
  [['unknown_direction', 'local_time'], hour],
  [['unknown_direction', 'hours'], models],
]
