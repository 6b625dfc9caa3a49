import { join } from 'node:path'
import type { Command } from 'commander'
import { dataPaths } from '../../config/settings.ts'
import { hasOldLayout } from '../../warehouse/storage/old-layout.ts'
import { quoteName, quoteText } from '../../warehouse/storage/sql.ts'
import { openWarehouse } from '../../warehouse/storage/warehouse.ts'
import { allTables } from '../../warehouse/tables/index.ts'
import { settingsOfExisting } from '../runtime/environment.ts'
import { addDataCommand, type DataFlags } from '../runtime/help.ts'
import { print, progress } from '../runtime/output.ts'

/** `holdshort carry-over`: takes the rows of a folder of Parquet files, as earlier versions kept them, into the warehouse. */
export function register(program: Command): void {
  addDataCommand(program, 'carry-over').action(async (flags: DataFlags) => {
    const { data_dir } = settingsOfExisting(flags)
    await using warehouse = await openWarehouse(data_dir, { isOldLayoutAllowed: true })
    const bar = progress('Taking over')
    const rows: Record<string, number> = {}
    for (const [done, table] of allTables.entries()) {
      bar.update(done, allTables.length, table.name)
      const files = join(dataPaths(data_dir).warehouse, table.name, '**', '*.parquet')
      if (!(await hasOldLayout(data_dir, table.name))) continue
      const empty = Object.entries(table.columns).map(([name, { type }]) => `NULL::${type} AS ${quoteName(name)}`)
      rows[table.name] = await warehouse.landSelect(
        table,
        `SELECT * FROM read_parquet(${quoteText(files)}, hive_partitioning = true, hive_types_autocast = false, union_by_name = true)
           UNION ALL BY NAME SELECT ${empty.join(', ')} WHERE false`,
      )
    }
    await warehouse.maintain('CHECKPOINT')
    bar.end()
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    print(
      { rows },
      flags.json,
      () => `${total} rows taken over; the Parquet folders in ${dataPaths(data_dir).warehouse} can be deleted`,
    )
  })
}
