/** A part of a service that runs until it is closed. */
export interface RunningPart {
  close: () => Promise<void>
}

/** The parts of a service, which start one by one and end together. */
export interface RunningParts {
  /** Adds a part; one that started while the service was ending is closed at once. */
  add: (part: RunningPart) => Promise<void>
  /** Closes all parts; a part that fails to close keeps no other one open. */
  close: () => Promise<void>
}

export function createRunningParts(): RunningParts {
  const parts: RunningPart[] = []
  let isClosed = false
  return {
    add: async (part) => {
      if (isClosed) await part.close()
      else parts.push(part)
    },
    close: async () => {
      isClosed = true
      await Promise.allSettled(parts.map((part) => part.close()))
    },
  }
}
