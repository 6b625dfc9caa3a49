/**
 * Whether Node.js could read a path as text. It reads arguments and variables as UTF-8 and puts U+FFFD in place of other bytes, so
 * that the text is the name of another file. NUL ends a path for the system.
 */
export const isReadablePath = (path: string): boolean => !path.includes('\uFFFD') && !path.includes('\0')

/** Advice for such a path. */
export const NOT_UTF_8 =
  'is not UTF-8, so that another file or folder would be used; rename it (mv), or name it by a link (ln -s)'
