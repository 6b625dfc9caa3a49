/**
 * The reference of the REST API, drawn by Scalar. Every part of it that would speak to its makers or to a third party is off, and
 * the key of a visitor stays in memory.
 */

interface Scalar {
  createApiReference(selector: string, configuration: object): void
}

// Scalar looks whether it may compile text, and works without. The policy of the page would refuse and report that.
globalThis.Function = new Proxy(Function, {
  construct() {
    throw new EvalError('this page compiles no text')
  },
})

const file = '/assets/scalar.js'
await import(file)
const { Scalar } = globalThis as unknown as { Scalar: Scalar }
const isDark = matchMedia('(prefers-color-scheme: dark)').matches
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  withDefaultFonts: false,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'bearer' },
  documentDownloadType: 'none',
  forceDarkModeState: isDark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  generateOperationSlug: ({ operationId }: { operationId?: string }) => operationId ?? '',
})
