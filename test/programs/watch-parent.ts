/** The module as a file of its own, for programs that a test writes. */
export * from '../../bin/runtime/watch-parent.ts'
