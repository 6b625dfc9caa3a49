import { writeFileSync } from 'node:fs'
import { projectFile } from '../../paths.ts'
import type { Airport } from '../directory.ts'
import type { Evidence } from './sources.ts'

type Subject = 'place' | 'country' | 'name' | 'icao'

interface Entry {
  iata: string
  about: Subject
  claims: string[]
  decided: string
}

const claimText = ({ source, icao, name, country, latitude, longitude, since, town }: Evidence) =>
  `${source}: ${[name, country, icao ?? 'no ICAO code', `${latitude.toFixed(3)} ${longitude.toFixed(3)}`].join(', ')}${since ? `, since ${since}` : ''}${town ? ', the town' : ''}`

/** A decision without the code, the day or the reason that only this case has. */
const ruleOf = (decided: string) =>
  decided
    .replace(/^[A-Z]{4}: .*/, 'one code of two airports: dropped')
    .replace(/^dropped: the code is given up.*/, 'dropped: the code is given up')
    .replace(/^dropped: (?!the code is given up).*/, 'dropped: corrections.json')
    .replace(/ (since|before) \d{4}-[\d-]+/, ' $1 a day')
    .replace(/: [A-Z]{2}$/, '')

/** The disagreements between the sources of the directory, and the decision on each: the list disagreements.json. */
export class DisagreementReport {
  private readonly entries: Entry[] = []
  private readonly open: string[] = []

  add(iata: string, about: Subject, claims: readonly Evidence[], decided: string): void {
    this.entries.push({ iata, about, claims: claims.map(claimText), decided })
  }

  note(iata: string, about: Subject, decided: string): void {
    this.entries.push({ iata, about, claims: [], decided })
  }

  undecided(iata: string, about: Subject, claims: readonly Evidence[]): void {
    this.open.push(`${iata} (${about}):\n    ${claims.map(claimText).join('\n    ')}`)
  }

  /** How many cases each rule decided. */
  counts(): [string, number][] {
    const counts = new Map<string, number>()
    for (const { about, decided } of this.entries) {
      const rule = `${about}: ${ruleOf(decided)}`
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
    }
    return [...counts].sort((a, b) => b[1] - a[1])
  }

  /**
   * Writes the list, sorted by code.
   * @throws when a case is undecided: it needs a correction with a source
   */
  write(airports: readonly Airport[]): void {
    if (this.open.length > 0)
      throw new Error(`${this.open.length} disagreements need a decision in corrections.json:\n${this.open.join('\n')}`)
    const present = new Set(airports.map(({ iata }) => iata))
    const sorted = this.entries
      .map((entry) => ({
        ...entry,
        decided: present.has(entry.iata)
          ? entry.decided
          : entry.decided.replace(/^(?!dropped)/, 'not in the directory; '),
      }))
      .toSorted((a, b) => (`${a.iata} ${a.about}` < `${b.iata} ${b.about}` ? -1 : 1))
    const lines = sorted.map((entry) => JSON.stringify(entry))
    writeFileSync(projectFile('config', 'airports', 'build', 'disagreements.json'), `[\n${lines.join(',\n')}\n]\n`)
  }
}
