import { ODD_VALUES, type Random } from './odd-values.ts'

type Container = Record<string, unknown>
/** The location of a value: the object or list that holds it, and its key; the key of a list is the index as text. */
interface TreeLocation {
  holder: Container
  key: string
}

const isContainer = (node: unknown): node is Container => typeof node === 'object' && node !== null

function locationsIn(node: unknown, found: TreeLocation[] = []): TreeLocation[] {
  if (!isContainer(node)) return found
  for (const key of Object.keys(node)) {
    found.push({ holder: node, key })
    locationsIn(node[key], found)
  }
  return found
}

function drop({ holder, key }: TreeLocation): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

function emptyOf(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return isContainer(value) ? {} : ''
}

function otherType(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return Number.isFinite(Number(value)) ? Number(value) : [value]
  return JSON.stringify(value)
}

function nested(value: unknown, depth: number): unknown {
  let outer = value
  for (let left = depth; left > 0; left--) outer = left % 2 === 0 ? [outer] : { a: outer }
  return outer
}

function movedInTime(value: unknown, random: Random): unknown {
  const hours = random.pick([-1_000_000, -24, -1, 1, 24, 1_000_000]) ?? 0
  if (typeof value === 'number') return value > 1e11 ? value + hours * 3_600_000 : value + hours * 3_600
  if (typeof value !== 'string') return value
  const slash = /^\/Date\((\d+)/.exec(value)?.[1]
  if (slash !== undefined) return `/Date(${Number(slash) + hours * 3_600_000})/`
  return value
    .replace(/\b(19|20)\d\d(?=\b|\d)/, random.pick(['1970', '2026', '2027', '2099']) ?? '')
    .replace(/\b\d\d?(?=:\d\d)/, String(random.integerBelow(25)))
}

function scaled(value: unknown, random: Random): unknown {
  const factor = random.pick([60, 1 / 60, 1_000, -1]) ?? 1
  if (typeof value === 'number') return value * factor
  return typeof value === 'string' && /^\d+$/.test(value) ? String(Number(value) * factor) : value
}

const TREE_DAMAGES: Record<string, (place: TreeLocation, random: Random) => void> = {
  'a key dropped': drop,
  'a key renamed': (place) => {
    const { holder, key } = place
    if (!Array.isArray(holder)) holder[`${key}_`] = holder[key]
    drop(place)
  },
  'a value emptied': ({ holder, key }) => {
    holder[key] = emptyOf(holder[key])
  },
  'a null': ({ holder, key }) => {
    holder[key] = null
  },
  'an odd value': ({ holder, key }, random) => {
    holder[key] = structuredClone(random.pick(ODD_VALUES))
  },
  'another type': ({ holder, key }) => {
    holder[key] = otherType(holder[key])
  },
  'deep nesting': ({ holder, key }, random) => {
    holder[key] = nested(holder[key], random.pick([1, 2, 100]) ?? 1)
  },
  'a row twice': ({ holder, key }) => {
    if (Array.isArray(holder)) holder.push(structuredClone(holder[Number(key)]))
    else holder[`${key}2`] = structuredClone(holder[key])
  },
  'rows swapped': ({ holder, key }, random) => {
    const other = random.pick(Object.keys(holder)) ?? key
    ;[holder[key], holder[other]] = [holder[other], holder[key]]
  },
  'another time': ({ holder, key }, random) => {
    holder[key] = movedInTime(holder[key], random)
  },
  'another unit': ({ holder, key }, random) => {
    holder[key] = scaled(holder[key], random)
  },
}
const DAMAGES = Object.entries(TREE_DAMAGES)

/** Changes one to three things in a tree, in place. */
export function damagedTree(tree: unknown, random: Random): { kind: string; tree: unknown } {
  const kinds: string[] = []
  for (let left = 1 + random.integerBelow(3); left > 0; left--) {
    const place = random.pick(locationsIn(tree))
    const [kind, damage] = random.pick(DAMAGES) ?? []
    if (place === undefined || kind === undefined || damage === undefined) break
    damage(place, random)
    kinds.push(kind)
  }
  return { kind: kinds.join(', '), tree }
}

/** The keys that lead to a value; `*` stands for every row of a list of rows. */
export type TreePath = readonly string[]

const isRows = (node: unknown): node is unknown[] => Array.isArray(node) && node.length > 0 && node.every(isContainer)

/** The paths to all single values of a tree, each once. */
export function pathsIn(node: unknown, path: TreePath = []): TreePath[] {
  if (!isContainer(node)) return [path]
  const all = Object.keys(node).flatMap((key) => pathsIn(node[key], [...path, isRows(node) ? '*' : key]))
  return [...new Map(all.map((path) => [path.join(' '), path])).values()]
}

/** A copy of a tree with `value` at the end of each path; undefined removes the key, or sets the item of a list to null. */
export function withValueAt(tree: unknown, paths: readonly TreePath[], value: unknown): unknown {
  const copy = structuredClone(tree)
  for (const path of paths) {
    const last = path.at(-1) ?? ''
    let holders = [copy]
    for (const step of path.slice(0, -1))
      holders = holders.filter(isContainer).flatMap((node) => (step === '*' ? Object.values(node) : [node[step]]))
    for (const holder of holders.filter(isContainer))
      if (value !== undefined) holder[last] = value
      else if (Array.isArray(holder)) holder[Number(last)] = null
      else delete holder[last]
  }
  return copy
}

/** The outermost lists of rows in a tree, with the keys of their rows. */
export function rowListsIn(node: unknown, path: TreePath = []): { path: TreePath; keys: string[] }[] {
  if (!isContainer(node)) return []
  const keys = Object.keys(node)
  return isRows(node) ? [{ path, keys }] : keys.flatMap((key) => rowListsIn(node[key], [...path, key]))
}
