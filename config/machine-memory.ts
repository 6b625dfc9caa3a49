import { totalmem } from 'node:os'

/** Bytes that this machine has, or the control group of this process where that is less. A process without a group reads 0, or more than there is. */
export const usableMemory = (): number => Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
