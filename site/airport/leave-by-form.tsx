import { getLeaveBy } from '../../answers/departure/get-leave-by.ts'
import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import { departureWords } from '../../answers/texts/departure-text.ts'
import { queryStringReader } from '../../api/rest/query-string.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import type { Chart } from '../charts/chart.ts'
import { airportAddress } from '../pages/elements.tsx'
import { type Field, type FieldFaults, Fields } from '../pages/fields.tsx'
import { type AirportRequest, ask } from './answers.ts'
import { Figure } from './figure.tsx'

const readQuery = queryStringReader(getLeaveBy.input)

/** The form as it was sent: its texts, and the plan or what is wrong with them. */
export interface SentForm {
  values: Readonly<Record<string, string>>
  answer: LeaveBy | null
  /** Faults by field name; `departure` also holds those of no field. */
  faults: FieldFaults
}

/** The form of a page that was opened without it. */
export const EMPTY_FORM: SentForm = { values: {}, answer: null, faults: {} }

/** Whether a query string is that of the form; anything else in an address of a page is ignored. */
export const hasDeparture = (query: Record<string, unknown>) => query['departure'] !== undefined

const PARAMETERS = Object.keys(getLeaveBy.input.shape).filter((name) => name !== 'iata')

/** The fields of a plan in the query string of a page; anything else in it is ignored. */
const valuesIn = (query: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    PARAMETERS.flatMap((name) => {
      const value = query[name]
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : []
    }),
  )

/** The parameters of a plan as a query string with its question mark; empty without any. */
export function planQuery(query: Record<string, unknown>): string {
  const text = new URLSearchParams(valuesIn(query)).toString()
  return text === '' ? '' : `?${text}`
}

/** The plan that a query string asks for. @throws ParameterError and what the query throws besides */
export const planOf = (query: Record<string, unknown>, request: AirportRequest): LeaveBy =>
  ask(getLeaveBy, { ...readQuery(valuesIn(query)), iata: request.airport.iata }, request, request.viewer.tier)

/** Plans the departure that the form describes. Faults stand at their fields. */
export function sentForm(query: Record<string, unknown>, request: AirportRequest): SentForm {
  const values = valuesIn(query)
  try {
    return { values, answer: planOf(query, request), faults: {} }
  } catch (error) {
    if (!(error instanceof HoldshortError)) throw error
    const faults = error instanceof ParameterError ? error.faults : [{ parameter: 'departure', message: error.message }]
    return {
      values,
      answer: null,
      faults: Object.fromEntries(
        faults.map(({ parameter, message }) => [FIELDS.has(parameter) ? parameter : 'departure', sentenceOf(message)]),
      ),
    }
  }
}

/** The fields that the form shows. The other parameters work in the address. */
const FIELDS = new Set(['departure', 'travel_minutes', 'international', 'bags', 'check_in', 'lane', 'confidence'])

/** The fields behind a fold: most people need none of them. A choice that equals its usual value is no change. */
const FOLDED = ['travel_minutes', 'bags', 'check_in']

const LANES: [string, string][] = [
  ['standard', 'Standard'],
  ['precheck', 'TSA PreCheck'],
  ['clear', 'CLEAR'],
  ['priority', 'Priority'],
]
const CONFIDENCES: [string, string][] = [
  ['0.8', '80 %'],
  ['0.9', '90 %'],
  ['0.95', '95 %'],
  ['0.99', '99 %'],
]
const WHERE_TO: [string, string][] = [
  ['', 'Not specified'],
  ['false', 'Within the country'],
  ['true', 'Abroad'],
]

interface TickProps {
  name: string
  label: string
  form: SentForm
  value: string
}

const Tick = ({ name, label, form, value }: TickProps) => (
  <label class="tick">
    <input type="checkbox" name={name} value={value} checked={form.values[name] === value} /> {label}
  </label>
)

/** One field, in a block of its own. */
const Block = ({ field, form }: { field: Field; form: SentForm }) => (
  <div>
    <Fields fields={[field]} faults={form.faults} />
  </div>
)

/** When to leave for a flight: the form, which works without script. */
export function LeaveByForm({ request, form }: { request: AirportRequest; form: SentForm }) {
  const { airport, now } = request
  const { values } = form
  const departure: Field = {
    name: 'departure',
    label: 'Your flight departs',
    hint: 'In the airport’s local time',
    type: 'datetime-local',
    value: values['departure']?.replace(' ', 'T').slice(0, 16) ?? '',
    attributes: { min: localTime(now, airport.timezone).slice(0, 16) },
  }
  const travel: Field = {
    name: 'travel_minutes',
    label: 'Minutes to get there',
    hint: 'Empty: the time to be there',
    type: 'number',
    required: false,
    value: values['travel_minutes'] ?? '',
    attributes: { inputmode: 'numeric', min: 0, max: 1_440 },
  }
  const choice = (name: string, label: string, choices: [string, string][], usual: string): Field => ({
    name,
    label,
    choices,
    value: values[name] ?? usual,
  })
  return (
    <form method="get" action={`/airports/${airport.iata}#leave-by`} class="leave-by">
      <Block field={departure} form={form} />
      <Block field={choice('international', 'You fly', WHERE_TO, '')} form={form} />
      <details
        class="more"
        open={FOLDED.some((name) => form.values[name] !== undefined || form.faults[name] !== undefined)}
      >
        <summary>Way there, lane, bags, how sure</summary>
        <div class="leave-by">
          <Block field={travel} form={form} />
          <Block field={choice('lane', 'Security lane', LANES, 'standard')} form={form} />
          <Block field={choice('confidence', 'Confidence', CONFIDENCES, '0.95')} form={form} />
          <div class="ticks">
            <Tick name="bags" label="With checked bags" form={form} value="true" />
            <Tick name="check_in" label="Check in at the airport" form={form} value="desk" />
          </div>
        </div>
      </details>
      <button type="submit">When to leave</button>
    </form>
  )
}

interface LeaveByAnswerProps {
  answer: LeaveBy
  chart: Chart | null
  /** The form of a page, for the files of the chart; null if they are not offered. */
  values: SentForm['values'] | null
}

/** The plan as sentences and a picture. */
export function LeaveByAnswer({ answer, chart, values }: LeaveByAnswerProps) {
  const words = departureWords(answer)
  const address = values && `${airportAddress(answer.airport)}/leave-by`
  return (
    <div class="plan-answer" role="status">
      <p class="lead">
        <strong>{words.lead}</strong>
      </p>
      {words.risk.length > 0 && <p>{words.risk.join(' ')}</p>}
      {chart && <Figure id="leave-by-curve" chart={chart} address={address} query={planQuery(values ?? {})} />}
      {words.steps.length > 0 && (
        <ol>
          {words.steps.map((line) => (
            <li>{line}</li>
          ))}
        </ol>
      )}
      {words.changes.length > 0 && <p>{words.changes.join(' ')}</p>}
      {answer.assumptions.length > 0 && (
        <details>
          <summary>What is assumed</summary>
          <ul>
            {answer.assumptions.map(({ name, value, source }) => (
              <li>
                <code>{name}</code>: {String(value)} · <small class="from">{source}</small>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
