import type { Command } from 'commander'
import { projectText } from '../../config/project-text.ts'

interface Help {
  /** A few words for the list of commands; empty for a subcommand. */
  summary: string
  description: string
}

/** The texts of all commands by name, such as `accounts grant`: each is a section of docs/operate/commands.md. */
export const COMMAND_TEXTS: ReadonlyMap<string, Help> = new Map(
  [...projectText('docs/operate/commands.md').matchAll(/^###? (.+)\n(?:\*(.+)\*\n\n)?(.+)$/gm)].map(
    ([, name = '', summary = '', description = '']) => [name, { summary, description }],
  ),
)

function textOf(name: string): Help {
  const text = COMMAND_TEXTS.get(name)
  if (text === undefined) throw new Error(`docs/operate/commands.md has no section ${name}`)
  return text
}

/** The description in a command's `--help`. */
export const helpOf = (name: string): string => textOf(name).description

/** The summary of a command in the list. */
export const summaryOf = (name: string): string => textOf(name).summary

/** Adds a command to a program, or a subcommand to a command: `accounts grant` to `accounts`. */
export const addCommand = (parent: Command, name: string): Command =>
  parent.command(name.split(' ').at(-1)!).description(helpOf(name))

/** The options of a command that uses a data folder. */
export interface DataFlags {
  dataDir?: string
  json?: boolean
}

/** Adds a command that uses a data folder and prints a result. */
export const addDataCommand = (parent: Command, name: string, json = 'print the result as JSON'): Command =>
  addCommand(parent, name).option('--data-dir <folder>', 'data folder (HOLDSHORT_DATA_DIR)').option('--json', json)
