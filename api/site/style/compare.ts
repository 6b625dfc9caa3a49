/** The list of delays, the comparison of airports, and the page for a wall. */
export const COMPARE = `
.delays { margin: 0; padding: 0; list-style: none } .delays > li { padding: .9rem 0; border-top: 1px solid var(--line) } .delays h3 { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .7rem; margin: 0 } .delays h3 a { text-decoration: none } .delays h3 a:hover bdi { text-decoration: underline } .delays p { margin: .35rem 0 } .delays ul { margin: .3rem 0 0; padding-left: 1.1rem; color: var(--quiet); font-size: var(--type-note); max-width: var(--measure) } .delays ul li { overflow-wrap: anywhere }
.compare-form { max-width: 38rem } .compare-form .beside { display: flex; gap: .6rem } .compare-form input { flex: 1; min-width: 0; text-transform: uppercase } .compare-form button { margin: 0 } .warning .fault { margin: .2rem 0 }
.side-by-side th[scope=row] { min-width: 9.5rem } .better { color: var(--good); font-size: var(--type-small) }
.bands { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 2.5rem } .bands h2 { font-size: var(--type-h3) } .bands h2 a { text-decoration: none }
`
