import { DARK, LIGHT, PAINT, propertyRules } from '../../../config/palette.ts'

/** Sizes of type, each about a fifth larger than the one before; figures of a wall are sized by the screen. */
const TYPE = {
  'type-small': '.8125rem',
  'type-note': '.875rem',
  'type-text': '1rem',
  'type-lead': '1.1875rem',
  'type-h3': '1.125rem',
  'type-h2': '1.4375rem',
  'type-h1': 'clamp(1.75rem, 1.35rem + 1.8vw, 2.5rem)',
  'type-figure': 'clamp(2.75rem, 2rem + 3.4vw, 4.5rem)',
  sans: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  mono: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  wide: '76rem',
  measure: '44rem',
  radius: '.5rem',
}

/** The tokens as custom properties. */
export const TOKENS = `
:root { color-scheme: light dark; ${propertyRules(LIGHT)}; ${propertyRules(PAINT)}; ${propertyRules(TYPE)} }
@media (prefers-color-scheme: dark) { :root { ${propertyRules(DARK)} } }
`
