import { escaped } from './html.ts'

/** One field of a form, with its label above it. */
export interface Field {
  /** What it is posted as; its id too. */
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  /** What it holds; never a password. */
  value?: string
  autocomplete: string
  /** HTML of what is said below it. */
  hint?: string
  required?: boolean
}

/** What is wrong with fields, by their names: sentences for people. */
export type FieldFaults = Readonly<Record<string, string>>

/** HTML of fields. What is wrong is said at the field and read out with it; the first faulty one has the focus. */
export function fieldsOf(fields: Field[], faults: FieldFaults = {}): string {
  const first = fields.find(({ name }) => faults[name] !== undefined)
  return fields.map((field) => fieldOf(field, faults[field.name], field === first)).join('\n')
}

function fieldOf(field: Field, fault: string | undefined, focus: boolean): string {
  const { name, label, type = 'text', value = '', autocomplete, hint, required = true } = field
  const told = [fault === undefined ? '' : `${name}-fault`, hint === undefined ? '' : `${name}-hint`].filter(Boolean)
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"`,
    type === 'password' ? '' : `value="${escaped(value)}"`,
    required ? 'required' : '',
    told.length > 0 ? `aria-describedby="${told.join(' ')}"` : '',
    fault === undefined ? '' : 'aria-invalid="true"',
    focus ? 'autofocus' : '',
  ].filter(Boolean)
  const said = [
    fault === undefined ? '' : `<p class="fault" id="${name}-fault">${escaped(fault)}</p>`,
    hint === undefined ? '' : `<p class="hint" id="${name}-hint">${hint}</p>`,
  ]
  return `<label for="${name}">${escaped(label)}</label>\n${said.join('')}<input ${attributes.join(' ')}>`
}

/** The texts of a posted form; what is missing or no single text is empty. */
export function postedTexts<Name extends string>(body: unknown, names: readonly Name[]): Record<Name, string> {
  const posted: Record<string, unknown> = typeof body === 'object' && body !== null ? { ...body } : {}
  const texts = names.map((name) => {
    const text = posted[name]
    // PostgreSQL takes no NUL in a text.
    return [name, typeof text === 'string' ? text.replaceAll('\0', '') : '']
  })
  return Object.fromEntries(texts) as Record<Name, string>
}
