/** The name of a file while it is written beside its place: its name, the process that writes it, and this end. */
export const draftPath = (path: string): string => `${path}.${process.pid}.tmp`

/** The same for a file of the engine that is made with its tables, which appears only when it is whole. */
export const unfinishedPath = (path: string): string => `${path}.${process.pid}.new`

const withEnd = (name: RegExp, end: string) => new RegExp(`${name.source.replace(/\$$/, '')}${end}`)

/** The names of drafts, by the pattern of the final names; the group `pid` is the process that writes. */
export const draftOf = (name: RegExp): RegExp => withEnd(name, '\\.(?<pid>\\d+)\\.tmp$')

/** The names of drafts of files of the engine, and of their logs. */
export const engineDraftOf = (name: RegExp): RegExp => withEnd(name, '\\.(?<pid>\\d+)\\.(tmp|new)(\\.wal)?$')

/** The names of files of the engine that are made with their tables, and of their logs. */
export const unfinishedOf = (name: RegExp): RegExp => withEnd(name, '\\.(?<pid>\\d+)\\.new(\\.wal)?$')
