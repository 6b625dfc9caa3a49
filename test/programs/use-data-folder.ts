import { holdDataFolder, holdRole, shareDataFolder } from '../../warehouse/storage/folder-use.ts'

/** Uses a data folder until it is killed: `alone`, `shared`, or as its `pipeline`. */
const [folder = '', use] = process.argv.slice(2)
if (use === 'alone') await holdDataFolder(folder)
else if (use === 'shared') await shareDataFolder(folder)
else await holdRole(folder, 'pipeline')
process.stdout.write('in use\n')
setInterval(() => undefined, 60_000)
