const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A browser as its owner would call it, as far as its User-Agent tells. */
export function browserName(user_agent: string | null): string {
  const first = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1]
  const [browser, system] = [first(BROWSERS), first(SYSTEMS)]
  if (!browser && !system) return 'A browser'
  return [browser ?? 'A browser', system].filter(Boolean).join(' on ')
}
