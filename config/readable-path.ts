/**
 * Whether Node.js could read a path as text. It reads arguments and variables as UTF-8 and puts U+FFFD in place of other bytes, so
 * that the text is the name of another file. NUL ends a path for the system.
 */
export const isReadablePath = (path: string): boolean => !path.includes('\uFFFD') && !path.includes('\0')

/** Advice for such a path. */
export const NOT_UTF_8 =
  'is not UTF-8, so that another file or folder would be used; rename it (mv), or name it by a link (ln -s)'

/**
 * What is wrong with the path of a folder that holds files of DuckDB; null if nothing. DuckDB takes a question mark for the beginning of
 * the query of an address, so that the log of a file would lie in another folder.
 */
export function pathFault(path: string): string | null {
  if (!isReadablePath(path)) return NOT_UTF_8
  return path.includes('?')
    ? `has a question mark in its path (${path}), with which DuckDB cannot keep a file; rename the folder`
    : null
}
