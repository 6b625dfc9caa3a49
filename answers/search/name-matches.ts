import { memoizeByObject } from '../../config/once.ts'
import type { IndexedName, NameIndex } from './name-index.ts'

/** A word of the index that a word of the text may mean. */
export interface Reading {
  /** The word's position in the index. */
  word: number
  /** 1 for the word itself, less for the start of it or with errors. */
  quality: number
}

/** The matches of a text's words in one name. */
export interface NameMatch {
  name: IndexedName
  /** One bit for each word of the text that the name has. */
  mask: number
  /** The share of the name's letters that the text has. */
  completeness: number
  /** The mean quality of the words. */
  quality: number
}

/** The matches of a text's words in each name, by the name's position; reused, as an index has very many names. */
class NameMatches {
  private readonly masks: Uint16Array
  private readonly letters: Float32Array
  private readonly qualities: Float32Array
  private readonly counts: Uint8Array
  private touched: number[] = []

  constructor(private readonly index: NameIndex) {
    const size = index.names.length
    this.masks = new Uint16Array(size)
    this.letters = new Float32Array(size)
    this.qualities = new Float32Array(size)
    this.counts = new Uint8Array(size)
  }

  /** The names with a word of the text, each with all words of the text that it has. */
  find(readings: Reading[][]): NameMatch[] {
    for (const [bit, wordReadings] of readings.entries())
      for (const reading of wordReadings) this.addReading(1 << bit, reading)
    const matches = this.touched.map((position) => this.take(position))
    this.touched = []
    return matches
  }

  private addReading(bit: number, { word, quality }: Reading): void {
    const { starts, namesWithWord, words } = this.index
    const letters = words[word]!.length * quality
    for (let entry = starts[word]!; entry < starts[word + 1]!; entry += 1) {
      const name = namesWithWord[entry]!
      if (this.masks[name]! & bit) continue
      if (this.masks[name] === 0) this.touched.push(name)
      this.masks[name]! |= bit
      this.letters[name]! += letters
      this.qualities[name]! += quality
      this.counts[name]! += 1
    }
  }

  private take(position: number): NameMatch {
    const name = this.index.names[position]!
    const match = {
      name,
      mask: this.masks[position]!,
      completeness: Math.min(1, this.letters[position]! / name.letters + 1e-6),
      quality: this.qualities[position]! / this.counts[position]!,
    }
    this.masks[position] = 0
    this.letters[position] = 0
    this.qualities[position] = 0
    this.counts[position] = 0
    return match
  }
}

const matchesOf = memoizeByObject((index: NameIndex) => new NameMatches(index))

export const matchNames = (index: NameIndex, readings: Reading[][]): NameMatch[] => matchesOf(index).find(readings)

export const isArea = ({ kind }: IndexedName) => kind === 'country' || kind === 'region'
