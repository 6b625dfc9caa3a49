import type { ComponentChildren, InputHTMLAttributes } from 'preact'

/** One field of a form, with its label above it. */
export interface Field {
  /** The name that it is posted under; its element id too. */
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** The initial value; never a password. */
  value?: string
  autocomplete: string
  /** The explanation shown with the field. */
  hint?: ComponentChildren
  required?: boolean
}

/** What is wrong with fields: sentences for people, by field name. */
export type FieldFaults = Readonly<Record<string, string>>

/** The fields of a form. A fault is shown at its field and read out with it; the first faulty field has the focus. */
export function Fields({ fields, faults = {} }: { fields: Field[]; faults?: FieldFaults | undefined }) {
  const first = fields.find(({ name }) => faults[name] !== undefined)
  return fields.map((field) => <LabelledInput field={field} fault={faults[field.name]} focus={field === first} />)
}

function LabelledInput({ field, fault, focus }: { field: Field; fault: string | undefined; focus: boolean }) {
  const { name, label, type = 'text', value = '', autocomplete, hint, required = true } = field
  const describedBy: string[] = []
  if (fault !== undefined) describedBy.push(`${name}-fault`)
  if (hint !== undefined) describedBy.push(`${name}-hint`)
  // The types have one shape for each kind of input, and cannot see that these attributes suit all of ours.
  const attributes = {
    id: name,
    name,
    type,
    autocomplete,
    value: type === 'password' ? undefined : value,
    required,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
    'aria-invalid': fault === undefined ? undefined : 'true',
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
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      <input {...(attributes as InputHTMLAttributes)} />
    </>
  )
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
