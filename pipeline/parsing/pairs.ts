import { textOf } from './body.ts'

/** An option of the form "key=value; key=value" (config/sources.json), in its order. */
export function pairsOf(option: unknown): Map<string, string> {
  const pairs = textOf(option)
    .split(';')
    .map((pair) => pair.split('=').map((part) => part.trim()))
  return new Map(pairs.flatMap(([key = '', value = '']) => (key === '' ? [] : [[key, value] as const])))
}
