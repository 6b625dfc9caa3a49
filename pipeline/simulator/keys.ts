import { DAY_MS } from '../../config/domain.ts'
import { hashOf, uniform } from './model/noise.ts'

/** First versions of the vendor's hosts; each rotation adds ten. */
const FIRST_VERSIONS: Record<string, number> = {
  'api.goaa.aero': 140,
  'api.houstonairports.mobi': 120,
  'api.dfwairport.mobi': 170,
  'api.cltairport.mobi': 130,
  'api.cvgairport.mobi': 100,
}
const WEEK_MS = 7 * DAY_MS

/** The key and version of each host that requires one: new every week, and after each call of `rotate`. */
export function createKeys(seed: number, now: () => number) {
  let extraRotations = 0
  return {
    rotate: () => {
      extraRotations += 1
    },
    keysOf: (host: string): { key: string; version: string } => {
      const rotation = Math.floor(now() / WEEK_MS) + extraRotations
      const digits = (part: number) =>
        Math.floor(uniform(hashOf(`${seed} ${host} ${part}`), rotation) * 0xffffffff)
          .toString(16)
          .padStart(8, '0')
      const version = (FIRST_VERSIONS[host] ?? 100) + 10 * (rotation % 80)
      return { key: [0, 1, 2, 3].map(digits).join(''), version: String(version) }
    },
  }
}
