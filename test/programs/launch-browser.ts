/** The module as a file of its own, for programs that a test writes. */
export * from '../../pipeline/transport/launch-browser.ts'
