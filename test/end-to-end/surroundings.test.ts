import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { projectFile } from '../../config/paths.ts'
import { repetitions } from '../exhaustive.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const PROGRAM = projectFile('dist', 'test', 'programs', 'work-anywhere.js')

/** Surroundings with other calendars, digits, weeks and times. */
const SURROUNDINGS = [
  { LC_ALL: 'th_TH.UTF-8', LANG: 'th_TH.UTF-8', TZ: 'Asia/Kolkata' },
  { LC_ALL: 'fa_IR.UTF-8', LANG: 'fa_IR.UTF-8', TZ: 'America/St_Johns' },
  { LC_ALL: 'ar_SA.UTF-8', LANG: 'ar_SA.UTF-8', TZ: 'Asia/Riyadh' },
  { LC_ALL: 'ja_JP@calendar=japanese', LANG: 'ja_JP.UTF-8', TZ: 'Asia/Tokyo' },
  { LC_ALL: 'en_US.UTF-8', LANG: 'en_US.UTF-8', TZ: 'Asia/Kolkata' },
  { LC_ALL: 'en_US.UTF-8', LANG: 'en_US.UTF-8', TZ: 'America/St_Johns' },
]

async function workIn(surroundings: Record<string, string>): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, await temporaryFolder()], {
    env: { PATH: process.env['PATH'] ?? '', ...surroundings },
  })
  return JSON.parse(stdout)
}

test('landings, imports and queries do not depend on the language, calendar and time zone around them', async () => {
  const expected = await workIn({ LC_ALL: 'C', LANG: 'C', TZ: 'UTC' })
  expect(JSON.stringify(expected)).toContain('2026-10-25T00:30:00.250')
  for (const surroundings of SURROUNDINGS.slice(0, repetitions(2, SURROUNDINGS.length)))
    expect({ surroundings, result: await workIn(surroundings) }).toEqual({ surroundings, result: expected })
}, 180_000)
