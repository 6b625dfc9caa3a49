const BROWSERS: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The name of a browser by its User-Agent, as its owner would call it: "Chrome on Android". */
export function browserName(user_agent: string | null): string {
  const find = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1]
  const browser = find(BROWSERS) ?? 'A browser'
  const system = find(SYSTEMS)
  return system ? `${browser} on ${system}` : browser
}
