import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile } from '../config/paths.ts'

/** The rooms of the house, from the lowest up. */
export const ROOMS = [
  'config',
  'forecasting',
  'warehouse',
  'jobs',
  'pipeline',
  'training',
  'answers',
  'api',
  'site',
  'accounts',
  'bin',
] as const
export type Room = (typeof ROOMS)[number]

export interface SourceFile {
  room: string
  /** Relative to the project. */
  path: string
  text: string
}

/** The TypeScript files of some folders of the project, without those of packages. */
export const sourceFiles = (rooms: readonly string[] = ROOMS): SourceFile[] =>
  rooms.flatMap((room) =>
    readdirSync(projectFile(room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => ({ room, path: join(room, name), text: readFileSync(projectFile(room, name), 'utf8') })),
  )
