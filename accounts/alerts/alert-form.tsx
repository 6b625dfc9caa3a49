import type { InputHTMLAttributes } from 'preact'
import { z } from 'zod'
import type { ParameterFault } from '../../config/errors.ts'
import { DAY_MS, isoUtc } from '../../config/vocabulary.ts'
import { Form } from '../../site/pages/frame.tsx'
import { type AlertRequest, DEFAULT_DAYS, MAX_DAYS, THRESHOLD } from './alert-request.ts'
import { MAX_ALERTS } from './create-alert.ts'

const field = (start = '') => z.string().max(200).catch(start).default(start)

/** The fields of the form for a new alert, as texts. */
export const AlertFields = z.object({
  airport: field(),
  terminal: field(),
  direction: field('below'),
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
    direction: fields.direction === 'below' ? 'below' : 'above',
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

const DAYS_RULE = `must be a whole number, 1 to ${MAX_DAYS}`

const WHOLE_NUMBER = { type: 'number', inputmode: 'numeric', step: 1, required: true }

/** The fields that few people need. */
const FOLDED: ReadonlySet<string> = new Set(['terminal', 'days', 'quiet_from', 'quiet_to'])

export function NewAlertForm({ form }: { form: AlertForm }) {
  const { min, max } = THRESHOLD
  const isUnfolded = form.faults.some((fault) => FOLDED.has(fieldOf(fault))) || form.fields.terminal !== ''
  return (
    <Form action="/alerts/create">
      <AlertInput
        form={form}
        name="airport"
        label="Airport"
        input={{ required: true, maxlength: 100, autocomplete: 'off' }}
      />
      <label for="direction">Tell me when the security wait is</label>
      <select id="direction" name="direction">
        <option value="below" selected={form.fields.direction !== 'above'}>
          under
        </option>
        <option value="above" selected={form.fields.direction === 'above'}>
          over
        </option>
      </select>
      <AlertInput form={form} name="threshold_minutes" label="Minutes" input={{ ...WHOLE_NUMBER, min, max }} />
      <details open={isUnfolded}>
        <summary>One terminal, how long, quiet hours</summary>
        <AlertInput
          form={form}
          name="terminal"
          label="Terminal"
          hint="Leave it empty for the whole airport."
          input={{ maxlength: 40, autocomplete: 'off' }}
        />
        <AlertInput
          form={form}
          name="days"
          label="Valid for days"
          hint={`1 to ${MAX_DAYS}; then it is removed.`}
          input={{ ...WHOLE_NUMBER, min: 1, max: MAX_DAYS }}
        />
        <AlertInput
          form={form}
          name="quiet_from"
          label="Quiet from"
          hint="Local time of the airport; leave both empty for no quiet hours."
          input={{ type: 'time' }}
        />
        <AlertInput
          form={form}
          name="quiet_to"
          label="Quiet to"
          hint="If the wait is still beyond the number of minutes then, you get the message then."
          input={{ type: 'time' }}
        />
      </details>
      <button>Tell me</button>
      <p class="hint">
        At once if it is so already; again only after the wait has gone back. Up to {MAX_ALERTS} alerts.
      </p>
    </Form>
  )
}

interface AlertInputProps {
  form: AlertForm
  name: keyof AlertFields
  label: string
  hint?: string
  /** Further attributes of the input element. */
  input: Record<string, string | number | boolean>
}

function AlertInput({ form: { fields, faults }, name, label, hint, input }: AlertInputProps) {
  const fault = faults.find((each) => fieldOf(each) === name)
  const message = fault && (name === 'days' ? DAYS_RULE : fault.message)
  // The types have one shape for each kind of input, and cannot see that these attributes suit all of ours.
  const attributes = {
    id: name,
    name,
    value: fields[name],
    ...input,
    'aria-describedby': message === undefined && hint === undefined ? undefined : `${name}-hint`,
    'aria-invalid': fault ? 'true' : undefined,
    autofocus: fault !== undefined && fault === faults[0],
  }
  return (
    <>
      <label for={name}>{label}</label>
      <input {...(attributes as InputHTMLAttributes)} />
      {(message !== undefined || hint !== undefined) && (
        <p class="hint" id={`${name}-hint`}>
          {message && (
            <>
              <span class="fault" role="alert">
                {label}: {message}.
              </span>{' '}
            </>
          )}
          {hint}
        </p>
      )}
    </>
  )
}
