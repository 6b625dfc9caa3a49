import { DAY_MS } from '../../config/domain.ts'
import { chance, keyOf } from './model/noise.ts'

/** Versions that the vendor's hosts began with; each rotation moves them on by ten. */
const FIRST_VERSIONS: Record<string, number> = {
  'api.goaa.aero': 140,
  'api.houstonairports.mobi': 120,
  'api.dfwairport.mobi': 170,
  'api.cltairport.mobi': 130,
  'api.cvgairport.mobi': 100,
}
const WEEK = 7 * DAY_MS

/** The key and version of each host that wants one: new every week, and whenever `rotate` is called. */
export function createKeys(seed: number, now: () => number) {
  let turns = 0
  return {
    rotate: () => {
      turns += 1
    },
    keysOf: (host: string): { key: string; version: string } => {
      const turn = Math.floor(now() / WEEK) + turns
      const digits = (part: number) =>
        Math.floor(chance(keyOf(`${seed} ${host} ${part}`), turn) * 0xffffffff)
          .toString(16)
          .padStart(8, '0')
      const version = (FIRST_VERSIONS[host] ?? 100) + 10 * (turn % 80)
      return { key: [0, 1, 2, 3].map(digits).join(''), version: String(version) }
    },
  }
}
