import { isZone, offsetFinder } from '../../time-zones/local-time.ts'
import { loadInstalled } from './installed.ts'

interface GeoTz {
  find: (lat: number, lon: number) => string[]
}

/** geo-tz is a CommonJS package of 72 MB: needed to build the directory, never at run time. */
const { find } = loadInstalled('geo-tz') as GeoTz
/** The same with every zone by its own name: Africa/Addis_Ababa, which `find` has as Asia/Riyadh because their clocks are alike. */
const { find: findAll } = loadInstalled('geo-tz/all') as GeoTz

const SEASONS = [
  Date.UTC(2026, 0, 15, 12),
  Date.UTC(2026, 3, 1, 12),
  Date.UTC(2026, 6, 15, 12),
  Date.UTC(2026, 9, 28, 12),
]
const clocks = new Map<string, string | null>()

/** The UTC offsets of a zone over a year, joined; null when the zone does not exist. */
function clockOf(zone: string): string | null {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = readClock(zone)
  clocks.set(zone, clock)
  return clock
}

const readClock = (zone: string) => (isZone(zone) ? SEASONS.map(offsetFinder(zone)).join(' ') : null)

const BORDER_DEGREES = 0.2
const OFFSETS_AROUND = [-1, 0, 1].flatMap((north) =>
  [-1, 0, 1].map((east) => [north * BORDER_DEGREES, east * BORDER_DEGREES]),
)

/**
 * The time zone of an airport; `baseZone` is null if the base has another one. The base's zone is kept if it has the same UTC offsets as the place or a place within about
 * 20 km: near a border an airport may use its town's time. Otherwise the zone of the map is used, and `mapped` is true.
 */
export function zoneOf(
  baseZone: string | null,
  latitude: number,
  longitude: number,
): { zone: string; mapped: boolean } {
  const clock = baseZone === null ? null : clockOf(baseZone)
  if (baseZone !== null && clock !== null) {
    for (const [north = 0, east = 0] of [[0, 0], ...OFFSETS_AROUND]) {
      const lat = Math.max(-90, Math.min(90, latitude + north))
      const lon = ((longitude + east + 540) % 360) - 180
      const zones = find(lat, lon).filter((zone) => !OPEN_SEA.test(zone))
      if (zones.some((zone) => clockOf(zone) === clock)) return { zone: zoneInUse(baseZone), mapped: false }
    }
  }
  const mapped = findAll(latitude, longitude)[0]
  if (mapped === undefined) throw new Error(`no time zone at ${latitude}, ${longitude}`)
  if (OPEN_SEA.test(mapped) && baseZone !== null && clock !== null) return { zone: zoneInUse(baseZone), mapped: false }
  return { zone: zoneInUse(mapped), mapped: true }
}

const OPEN_SEA = /^Etc\//

/**
 * Zones of the sources under the name in use: today's spelling of two that the tz database renamed, which Node.js takes from 20
 * on; and Beijing time in Xinjiang, as airports there use it, in place of the map's unofficial local time.
 */
const IN_USE: Readonly<Record<string, string>> = {
  'America/Godthab': 'America/Nuuk',
  'Europe/Kiev': 'Europe/Kyiv',
  'Asia/Kashgar': 'Asia/Shanghai',
  'Asia/Urumqi': 'Asia/Shanghai',
}
const zoneInUse = (zone: string) => IN_USE[zone] ?? zone
