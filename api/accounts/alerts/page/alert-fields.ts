import { z } from 'zod'
import { DAY_MS, isoUtc } from '../../../../config/domain.ts'
import type { ParameterFault } from '../../../../config/errors.ts'
import { escaped } from '../../../site/pages/html.ts'
import { type AlertRequest, DEFAULT_DAYS, MAX_DAYS, THRESHOLD } from '../alert-request.ts'

const field = (start = '') => z.string().max(200).catch(start).default(start)

/** The fields of the form as a person filled them in. */
export const AlertFields = z.object({
  airport: field(),
  terminal: field(),
  direction: field('above'),
  threshold_minutes: field('30'),
  days: field(String(DEFAULT_DAYS)),
  quiet_from: field(),
  quiet_to: field(),
})
export type AlertFields = z.output<typeof AlertFields>

/** The order that the fields come to, but for its airport; what cannot be read is left for the order to refuse. */
export function orderOf(fields: AlertFields, now: number): Omit<AlertRequest, 'iata'> {
  const days = wholeNumber(fields.days)
  return {
    terminal: fields.terminal.trim() || null,
    direction: fields.direction === 'below' ? 'below' : 'above',
    threshold_minutes: wholeNumber(fields.threshold_minutes),
    // A day too many, where the days are no number, is refused as such.
    expires_at: isoUtc(now + (days >= 1 && days <= MAX_DAYS ? days : MAX_DAYS + 1) * DAY_MS),
    quiet_from: fields.quiet_from || null,
    quiet_to: fields.quiet_to || null,
  }
}

const wholeNumber = (text: string) => (/^\s*\d{1,4}\s*$/.test(text) ? Number(text) : Number.NaN)

/** Fields of the form that are called otherwise in an order. */
const FIELD_OF: Record<string, keyof AlertFields> = { iata: 'airport', expires_at: 'days' }
const DAYS_RULE = `must be a whole number, 1 to ${MAX_DAYS}`

/** The form's fields as HTML, each with its hint and, where there is one, its fault. */
export function alertFields(fields: AlertFields, faults: ParameterFault[]): string {
  const isAt = (name: string) => (fault: ParameterFault) => (FIELD_OF[fault.parameter] ?? fault.parameter) === name
  const input = (name: keyof AlertFields, label: string, attributes: string, hint: string) => {
    const fault = faults.find(isAt(name))
    const message = fault && (name === 'days' ? DAYS_RULE : fault.message)
    const told = message ? `<span class="fault" role="alert">${label}: ${escaped(message)}.</span> ` : ''
    const invalid = ` aria-invalid="true"${faults.findIndex(isAt(name)) === 0 ? ' autofocus' : ''}`
    return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${escaped(fields[name])}" ${attributes} aria-describedby="${name}-hint"${fault ? invalid : ''}>
<p class="hint" id="${name}-hint">${told}${hint}</p>`
  }
  const option = (value: string, text: string) =>
    `<option value="${value}"${fields.direction === value ? ' selected' : ''}>${text}</option>`
  const range = `type="number" inputmode="numeric" step="1" required`
  const { min, max } = THRESHOLD
  return [
    input('airport', 'Airport', 'required maxlength="100" autocomplete="off"', 'Code or name, like JFK.'),
    input('terminal', 'Terminal', 'maxlength="40" autocomplete="off"', 'Leave it empty for the whole airport.'),
    `<label for="direction">Tell me when the security wait is</label>
<select id="direction" name="direction">${option('above', 'above')}${option('below', 'below')}</select>`,
    input('threshold_minutes', 'Minutes', `${range} min="${min}" max="${max}"`, `${min} to ${max}.`),
    input('days', 'Days it holds', `${range} min="1" max="${MAX_DAYS}"`, `1 to ${MAX_DAYS}; then it is removed.`),
    input('quiet_from', 'Quiet from', 'type="time"', 'Local time of the airport; leave both empty for no quiet hours.'),
    input('quiet_to', 'Quiet to', 'type="time"', 'If the wait is still beyond then, you are told then.'),
    '<button>Create alert</button>',
  ].join('\n')
}
