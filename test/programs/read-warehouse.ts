import { once } from 'node:events'
import { openAnalystSession } from '../../warehouse/storage/analyst-session.ts'

/** Holds the warehouse of a folder for reading until its input ends, as the query of an analyst does. Prints a line once it does. */
const session = await openAnalystSession(process.argv[2] ?? '')
process.stdout.write('reads\n')
await once(process.stdin.resume(), 'end')
await session.close()
