import type { InputHTMLAttributes } from 'preact'
import { getLeaveBy } from '../../answers/departure/get-leave-by.ts'
import type { LeaveBy } from '../../answers/departure/leave-by-answer.ts'
import { localTime } from '../../answers/statements/local-time.ts'
import { sentenceOf } from '../../answers/statements/text.ts'
import { departureWords } from '../../answers/texts/departure-text.ts'
import { queryStringReader } from '../../api/rest/query-string.ts'
import { HoldshortError, ParameterError } from '../../config/errors.ts'
import type { Chart } from '../charts/chart.ts'
import { airportAddress } from '../pages/elements.tsx'
import { type AirportRequest, ask } from './answers.ts'
import { Figure } from './figure.tsx'

const readQuery = queryStringReader(getLeaveBy.input)

/** The form as it was sent: its texts, and the plan or what is wrong with them. */
export interface SentForm {
  values: Readonly<Record<string, string>>
  answer: LeaveBy | null
  /** By field name; `departure` also holds what belongs to no field. */
  faults: Readonly<Record<string, string>>
}

/** The form of a page that was opened without it. */
export const EMPTY_FORM: SentForm = { values: {}, answer: null, faults: {} }

/** Whether a query string is that of the form; anything else in an address of a page is ignored. */
export const hasDeparture = (query: Record<string, unknown>) => query['departure'] !== undefined

const PARAMETERS = Object.keys(getLeaveBy.input.shape).filter((name) => name !== 'iata')

/** What the query string of a page says of a plan; anything else in it is ignored. */
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

interface FieldProps {
  name: string
  label: string
  form: SentForm
}

const faultAttributes = (name: string, { faults }: SentForm) =>
  faults[name] === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-fault` }

const Fault = ({ name, form }: { name: string; form: SentForm }) =>
  form.faults[name] === undefined ? null : (
    <p class="fault" id={`${name}-fault`}>
      {form.faults[name]}
    </p>
  )

function Choice({ name, label, form, choices, usual }: FieldProps & { choices: [string, string][]; usual: string }) {
  const chosen = form.values[name] ?? usual
  return (
    <div>
      <label for={name}>{label}</label>
      <Fault name={name} form={form} />
      <select id={name} name={name} {...faultAttributes(name, form)}>
        {choices.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}

const Tick = ({ name, label, form, value }: FieldProps & { value: string }) => (
  <label class="tick">
    <input type="checkbox" name={name} value={value} checked={form.values[name] === value} /> {label}
  </label>
)

/** When to leave for a flight: the form, which works without script. */
export function LeaveByForm({ request, form }: { request: AirportRequest; form: SentForm }) {
  const { airport, now } = request
  const departure = {
    id: 'departure',
    name: 'departure',
    type: 'datetime-local',
    required: true,
    min: localTime(now, airport.timezone).slice(0, 16),
    value: form.values['departure']?.replace(' ', 'T').slice(0, 16) ?? '',
    ...faultAttributes('departure', form),
  }
  const travel = {
    id: 'travel_minutes',
    name: 'travel_minutes',
    type: 'number',
    inputmode: 'numeric',
    min: 0,
    max: 1_440,
    value: form.values['travel_minutes'] ?? '',
    ...faultAttributes('travel_minutes', form),
  }
  return (
    <form method="get" action={`/airports/${airport.iata}#leave-by`} class="leave-by">
      <div>
        <label for="departure">Your flight departs</label>
        <Fault name="departure" form={form} />
        <input {...(departure as InputHTMLAttributes)} />
        <p class="hint">In the airport’s local time</p>
      </div>
      <Choice name="international" label="You fly" form={form} choices={WHERE_TO} usual="" />
      <details
        class="more"
        open={FOLDED.some((name) => form.values[name] !== undefined || form.faults[name] !== undefined)}
      >
        <summary>Way there, lane, bags: 95 % sure</summary>
        <div class="leave-by">
          <div>
            <label for="travel_minutes">Minutes to get there</label>
            <Fault name="travel_minutes" form={form} />
            <input {...(travel as InputHTMLAttributes)} />
            <p class="hint">Empty: the time to be there</p>
          </div>
          <Choice name="lane" label="Security lane" form={form} choices={LANES} usual="standard" />
          <Choice name="confidence" label="Confidence" form={form} choices={CONFIDENCES} usual="0.95" />
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
  /** The form of a page, for the files of the chart; null where they are not offered. */
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
