import { stat } from 'node:fs/promises'

/** The file or folder that a path names now: device and inode; null when there is none. */
async function identityOf(path: string): Promise<string | null> {
  try {
    const { dev, ino } = await stat(path, { bigint: true })
    return `${dev}/${ino}`
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
}

const CHECK_MS = 500

/**
 * Watches files and folders that a process uses as long as it lives. Calls back once, with the path, when one of them was
 * moved, deleted or replaced: what the process still holds open then belongs to nobody, and what it would make anew at
 * that path would be empty.
 */
export async function watchIdentity(
  paths: readonly string[],
  onGone: (path: string) => void,
  checkMs = CHECK_MS,
): Promise<{ stop: () => void }> {
  const known = await Promise.all(paths.map(async (path) => ({ path, identity: await identityOf(path) })))
  let timer: NodeJS.Timeout | undefined
  const check = async () => {
    for (const { path, identity } of known) {
      // A disk that does not answer is no proof that the path is gone.
      const isSame = await identityOf(path).then(
        (found) => found === identity,
        () => true,
      )
      if (!isSame && timer) return onGone(path)
    }
    if (timer) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => void check(), checkMs).unref()
  }
  schedule()
  return {
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
