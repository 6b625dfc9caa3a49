import { setTimeout as sleep } from 'node:timers/promises'
import { withWriteLock } from '../../warehouse/storage/lock.ts'

/** Holds the write lock of a folder of locks without a gap, a little at a time, as a busy pipeline does. */
const [locks = ''] = process.argv.slice(2)
const again = async () => {
  for (;;) await withWriteLock(locks, () => sleep(150))
}
void again()
void again()
process.stdout.write('holding\n')
