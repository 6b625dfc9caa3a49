import { holdDataFolder, holdRole, shareDataFolder } from '../../warehouse/storage/folder-use.ts'

/** Uses a data folder until it is killed: `alone`, `shared`, or as its `pipeline`. Ends with 1 where another process keeps it from that. */
const [folder = '', use] = process.argv.slice(2)
try {
  if (use === 'alone') await holdDataFolder(folder)
  else if (use === 'shared') await shareDataFolder(folder)
  else await holdRole(folder, 'pipeline')
} catch {
  process.exit(1)
}
process.stdout.write('in use\n')
setInterval(() => undefined, 60_000)
