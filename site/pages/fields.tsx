import type { ComponentChildren, InputHTMLAttributes } from 'preact'

/** One field of a form, with its label above it. */
export interface Field {
  /** The name that it is posted under; its element id too. */
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'number' | 'time' | 'datetime-local'
  /** The initial value; never a password. */
  value?: string
  autocomplete?: string
  /** The explanation shown with the field. */
  hint?: ComponentChildren
  required?: boolean
  /** Further attributes of the input element. */
  attributes?: Record<string, string | number>
  /** The values to choose from, each with its text, in place of an input. */
  choices?: readonly (readonly [value: string, text: string])[]
}

/** Faults of fields: sentences for people, by field name. */
export type FieldFaults = Readonly<Record<string, string>>

/** The fields of a form. A fault is shown at its field and read out with it; the first faulty field has the focus. */
export function Fields({ fields, faults = {} }: { fields: Field[]; faults?: FieldFaults | undefined }) {
  const first = fields.find(({ name }) => faults[name] !== undefined)
  return fields.map((field) => <LabelledField field={field} fault={faults[field.name]} focus={field === first} />)
}

function LabelledField({ field, fault, focus }: { field: Field; fault: string | undefined; focus: boolean }) {
  const { name, label, hint, choices } = field
  const describedBy = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`].filter(Boolean)
  const state = {
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
    'aria-invalid': fault === undefined ? undefined : ('true' as const),
    autofocus: focus,
  }
  return (
    <>
      <label for={name}>{label}</label>
      {fault !== undefined && (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      )}
      {choices ? (
        <select id={name} name={name} {...state}>
          {choices.map(([value, text]) => (
            <option value={value} selected={value === field.value}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input id={name} name={name} {...inputAttributes(field)} {...state} />
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </>
  )
}

/** The types have one shape for each kind of input, and cannot see that these attributes suit all of ours. */
function inputAttributes({ type = 'text', value = '', autocomplete, required = true, attributes }: Field) {
  const shown = type === 'password' ? undefined : value
  return { value: shown, type, autocomplete, required, ...attributes } as InputHTMLAttributes
}

/** The texts of a posted form. A field that is missing or not a single text is empty. */
export function postedTexts<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const posted: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  const texts = names.map((name) => {
    const text = posted[name]
    // PostgreSQL accepts no NUL character in a text.
    return [name, typeof text === 'string' ? text.replaceAll('\0', '') : '']
  })
  return Object.fromEntries(texts) as Record<Name, string>
}
