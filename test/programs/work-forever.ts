import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { doWork, firstKeptDay, KINDS, type Kind } from '../faults/native-work.ts'

/**
 * Works on a warehouse in an endless loop: lands batches, lands one of them again, and does one kind of other work; prints what it
 * begins and what is done. `faults/kills.test.ts` kills it.
 */
const [folder = '', from = '0', wanted = 'landing'] = process.argv.slice(2)
const kind = KINDS.find((known) => known === wanted) ?? 'landing'
const warehouse = await openWarehouse(folder)
const print = (word: string, kind: Kind, number: number) => process.stdout.write(`${word} ${kind} ${number}\n`)
for (let batch = Number(from); ; batch += 1) {
  print('begin', 'landing', batch)
  await doWork(warehouse, 'landing', batch)
  print('done', 'landing', batch)
  // Landing again is landing once.
  const again = await doWork(warehouse, 'landing', batch)
  if (again !== 0) print('doubled', 'landing', again)
  if (kind === 'landing' || batch % 3 !== 0) continue
  print('begin', kind, kind === 'retention' ? firstKeptDay(batch) : batch)
  print(
    'done',
    kind,
    kind === 'retention'
      ? await doWork(warehouse, kind, batch)
      : await doWork(warehouse, kind, batch).then(() => batch),
  )
}
