import { z } from 'zod'
import type { ParameterFault } from '../../config/errors.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { type Field, type FieldFaults, Fields } from '../../site/pages/fields.tsx'
import { Form } from '../../site/pages/frame.tsx'
import { type AlertRequest, DEFAULT_DAYS, MAX_DAYS, THRESHOLD } from './alert-request.ts'
import { MAX_ALERTS } from './create-alert.ts'

const field = (start = '') => z.string().max(200).catch(start).default(start)

/** The fields of the form for a new alert, as texts. */
export const AlertFields = z.object({
  airport: field(),
  terminal: field(),
  direction: z.enum(['below', 'above']).catch('below').default('below'),
  threshold_minutes: field('15'),
  days: field(String(DEFAULT_DAYS)),
  quiet_from: field(),
  quiet_to: field(),
})
export type AlertFields = z.output<typeof AlertFields>

/** The form for a new alert: the fields as typed, and what is wrong with them. */
export interface AlertForm {
  fields: AlertFields
  faults: ParameterFault[]
}

/** The alert that the fields describe, without its airport. Values that cannot be read are left for `createAlert` to refuse. */
export function orderOf(fields: AlertFields, now: number): Omit<AlertRequest, 'iata'> {
  const days = wholeNumber(fields.days)
  // Days that are not a valid number become one day too many, which is refused as too long.
  const validDays = days >= 1 && days <= MAX_DAYS ? days : MAX_DAYS + 1
  return {
    terminal: fields.terminal.trim() || null,
    direction: fields.direction,
    threshold_minutes: wholeNumber(fields.threshold_minutes),
    expires_at: isoUtc(now + validDays * DAY_MS),
    quiet_from: fields.quiet_from || null,
    quiet_to: fields.quiet_to || null,
  }
}

const wholeNumber = (text: string) => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : Number.NaN)

/** Names of alert parameters whose form field has another name. */
const FIELD_OF_PARAMETER: Record<string, keyof AlertFields> = { iata: 'airport', expires_at: 'days' }
const fieldOf = ({ parameter }: ParameterFault) => FIELD_OF_PARAMETER[parameter] ?? parameter

/** Faults of the fields, each in a sentence that names its field. */
const faultsOf = (form: AlertForm): FieldFaults =>
  Object.fromEntries(
    form.faults.map((fault) => {
      const name = fieldOf(fault)
      const message = name === 'days' ? `must be a whole number, 1 to ${MAX_DAYS}` : fault.message
      const field = [...FIRST_FIELDS, ...FOLDED_FIELDS].find((formField) => formField.name === name)
      return [name, `${field?.label ?? name}: ${message}.`]
    }),
  )

const wholeNumberField = (min: number, max: number): Partial<Field> => ({
  type: 'number',
  attributes: { inputmode: 'numeric', step: 1, min, max },
})

const FIRST_FIELDS: Field[] = [
  { name: 'airport', label: 'Airport', autocomplete: 'off', attributes: { maxlength: 100 } },
  {
    name: 'direction',
    label: 'Tell me when the security wait is',
    choices: [
      ['below', 'under'],
      ['above', 'over'],
    ],
  },
  { name: 'threshold_minutes', label: 'Minutes', ...wholeNumberField(THRESHOLD.min, THRESHOLD.max) },
]

/** The fields that few people need. */
const FOLDED_FIELDS: Field[] = [
  {
    name: 'terminal',
    label: 'Terminal',
    hint: 'Leave it empty for the whole airport.',
    required: false,
    autocomplete: 'off',
    attributes: { maxlength: 40 },
  },
  {
    name: 'days',
    label: 'Valid for days',
    hint: `1 to ${MAX_DAYS}; then it is removed.`,
    ...wholeNumberField(1, MAX_DAYS),
  },
  {
    name: 'quiet_from',
    label: 'Quiet from',
    hint: 'Local time of the airport; leave both empty for no quiet hours.',
    type: 'time',
    required: false,
  },
  {
    name: 'quiet_to',
    label: 'Quiet to',
    hint: 'If the wait is still beyond the number of minutes then, you get the message then.',
    type: 'time',
    required: false,
  },
]

export function NewAlertForm({ form }: { form: AlertForm }) {
  const { fields } = form
  const faults = faultsOf(form)
  const filled = (list: Field[]) => list.map((field) => ({ ...field, value: fields[field.name as keyof AlertFields] }))
  const isUnfolded = FOLDED_FIELDS.some(({ name }) => faults[name] !== undefined) || fields.terminal !== ''
  return (
    <Form action="/alerts/create">
      <Fields fields={filled(FIRST_FIELDS)} faults={faults} />
      <details open={isUnfolded}>
        <summary>One terminal, how long, quiet hours</summary>
        <Fields fields={filled(FOLDED_FIELDS)} faults={faults} />
      </details>
      <button>Tell me</button>
      <p class="hint">
        At once if it is so already; again only after the wait has gone back. Up to {MAX_ALERTS} alerts.
      </p>
    </Form>
  )
}
