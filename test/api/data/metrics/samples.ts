import { expect } from 'vitest'

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (Na[nN]|[+-]Inf|[-+]?[\d.]+(?:e[+-]?\d+)?)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g

/** Parses Prometheus text (format 0.0.4; prom-client writes Nan, which parsers accept). Expects a type before every sample, no duplicates and nothing else. */
export function readSamples(text: string): Sample[] {
  const typed = new Map<string, string>()
  const seen = new Set<string>()
  const samples: Sample[] = []
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line)
    if (type) {
      expect(typed.has(type[1]!), line).toBe(false)
      typed.set(type[1]!, type[2]!)
      continue
    }
    const [, name = '', inside = '', value = ''] = SAMPLE.exec(line) ?? []
    expect(name, line).not.toBe('')
    expect(typed.has(name) || typed.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram', line).toBe(true)
    expect(inside.replaceAll(LABEL, ''), line).toBe('')
    expect(seen.has(`${name}{${inside}}`), line).toBe(false)
    seen.add(`${name}{${inside}}`)
    const labels = Object.fromEntries([...inside.matchAll(LABEL)].map(([, label, text]) => [label!, text!]))
    samples.push({ name, labels, value: Number(value.replace('Inf', 'Infinity').replace('Nan', 'NaN')) })
  }
  return samples
}

/** The value of the only sample with this name and these labels; undefined if there is none. */
export function sampled(samples: Sample[], name: string, labels: Record<string, string> = {}): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
  )
  expect(found.length, `${name} ${JSON.stringify(labels)}`).toBeLessThan(2)
  return found[0]?.value
}
