import { pathToFileURL } from 'node:url'
import { projectFile } from '../../config/paths.ts'
import type { Score } from '../../forecasting/skill/metrics.ts'

/** Scores of a set of forecasts; `overall` is null where no row was scored. */
export interface BenchmarkScores {
  overall: Score | null
  horizons: ({ from_hours: number; to_hours: number } & Partial<Score>)[]
  airports: ({ airport: string } & Score)[]
}

/** What a scorer says of a CSV: its figures, or what is wrong with it. */
export interface ScoredFile extends BenchmarkScores {
  forecasts: number
  scored: number
  missing: number
  /** Forecasts of hours that are not wanted, or were not observed. */
  not_scored: number
  faults: string[]
}

/** One forecast of a CSV; instants are epoch milliseconds. */
export interface ForecastRow {
  airport: string
  issued: number
  valid: number
  /** Whole hours from the hour of the issue. */
  ahead: number
  p10: number
  p50: number
  p90: number
}

export interface ScoredRow {
  airport: string
  ahead: number
  observed: number
  forecast: Pick<ForecastRow, 'p10' | 'p50' | 'p90'>
}

/** The scores of the forecasts that a benchmark was made with. */
export interface ReferenceScores {
  references: Record<string, BenchmarkScores>
}

interface Scorer {
  readForecasts: (path: string) => { forecasts: Map<string, ForecastRow>; faults: string[] }
  scoreRows: (rows: Iterable<ScoredRow>, buckets: readonly (readonly [number, number])[]) => BenchmarkScores
  scoreFile: (folder: string, path: string, options?: { partial?: boolean }) => ScoredFile
  scoreTable: (result: ScoredFile, scores: ReferenceScores) => string
  readScores: (folder: string) => ReferenceScores
}

/** The scorers that lie in every benchmark, and need nothing of this program. */
export const SCORER_FILES = ['score.mjs', 'score.py'] as const

export const scorerFile = (name: (typeof SCORER_FILES)[number]) => projectFile('training', 'benchmark', name)

/** The scorer of every benchmark: what this program says of a CSV is what anybody finds without it. */
export const openScorer = async (): Promise<Scorer> =>
  (await import(pathToFileURL(scorerFile('score.mjs')).href)) as Scorer
