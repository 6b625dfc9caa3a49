import { existsSync, statSync } from 'node:fs'
import { access, constants, open, stat } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { partText } from '../../answers/statements/text.ts'
import { OTHER_RELEASE, stateFault, WRONG_PEPPER } from '../../api/state/integrity.ts'
import { missing, readMarker } from '../../api/state/marker.ts'
import { readPepperFile } from '../../api/state/peppers.ts'
import { isOpenToOthers, stateFiles } from '../../api/state/private-files.ts'
import { statusReport } from '../../api/status/status-report.ts'
import { countText } from '../../config/count-text.ts'
import { HoldshortError } from '../../config/errors.ts'
import { dataPaths, type Settings } from '../../config/settings.ts'
import { CLOCK_AHEAD_MS, isoUtc } from '../../config/vocabulary.ts'
import { OtherFormatError, readSoundCard, trainedSubjects } from '../../training/artifacts/artifact-files.ts'
import { readRegistry, servingFolder } from '../../training/registry/registry.ts'
import { TRAINED_KINDS } from '../../training/settings/kinds.ts'
import { loadSoundSnapshot } from '../../warehouse/publishing/snapshot/load.ts'
import { currentSnapshotId, listSnapshotIds } from '../../warehouse/publishing/snapshot/names.ts'
import type { Snapshot } from '../../warehouse/publishing/snapshot/snapshot.ts'
import { wasFilled } from '../../warehouse/storage/file-mark.ts'
import { folderFault, READ_ONLY_REMEDY } from '../../warehouse/storage/files.ts'
import { folderHolder, folderSharers, requireRestored } from '../../warehouse/storage/folder-use.ts'
import { readInFull, rowsIn } from '../../warehouse/storage/housekeeping.ts'
import { keptCopies, lossText, UNFINISHED_REPAIR } from '../../warehouse/storage/kept-copies.ts'
import { isOutOfReach } from '../../warehouse/storage/ordinary-file.ts'
import { type FreeSpace, freeSpace } from '../../warehouse/storage/retention.ts'
import { requireSeparateFolder } from '../../warehouse/storage/separate-folder.ts'
import { readSimulatedMark, requirePublishedWorld } from '../../warehouse/storage/simulated-mark.ts'
import { unknown, type Verdict, warning, wrong } from './finding.ts'

/** A folder itself, or the nearest one above it that exists: the doctor looks and creates nothing. */
const existingFolder = (folder: string): string => (existsSync(folder) ? folder : existingFolder(dirname(folder)))

/** Linux: an open file without a name, which is gone when it is closed. */
const O_TMPFILE = 0o20000000 | constants.O_DIRECTORY
/** Codes of file systems without such files. A full disk is found by `checkDisk`. */
const NOT_A_WRITE_FAULT = ['EOPNOTSUPP', 'EISDIR', 'EINVAL', 'ENOSPC', 'EDQUOT']

/**
 * Whether a path can be written; the error's code when it cannot. Permissions do not tell it of a disk that became read-only
 * after an error, so that a file without a name is written in a folder.
 */
async function writeFault(path: string): Promise<string | null> {
  try {
    await access(path, constants.W_OK)
    if (process.platform !== 'linux' || !(await stat(path)).isDirectory()) return null
    const file = await open(path, constants.O_RDWR | O_TMPFILE, 0o600)
    try {
      await file.write('x')
      await file.datasync()
    } finally {
      await file.close()
    }
    return null
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    return NOT_A_WRITE_FAULT.includes(code) ? null : code
  }
}

/** Advice for a path that cannot be written. */
const remedyOf = (fault: string) =>
  ['EROFS', 'EIO', 'EUCLEAN'].includes(fault) ? READ_ONLY_REMEDY : 'change its permissions or choose another folder'

/** Whether the data folder can be used, and who uses it. */
export async function checkDataFolder(settings: Settings): Promise<Verdict> {
  const { root, raw, warehouse, models, snapshots, scratch, locks, open_data } = dataPaths(settings.data_dir)
  const existing = existingFolder(root)
  if (!(await stat(existing)).isDirectory())
    return wrong(`${existing} is a file; choose a folder with --data-dir or HOLDSHORT_DATA_DIR`)
  requireSeparateFolder(root)
  for (const path of [root, raw, warehouse, models, snapshots, scratch, locks, open_data]) {
    const fault = folderFault(path)
    if (fault !== null)
      return wrong(`${path} cannot be used: ${fault}; put the folder back, or move away what is there`)
  }
  const own = [...Object.values(dataPaths(root)), ...stateFiles(dataPaths(root).state)].filter(
    (path) => path.startsWith(existing) && existsSync(path),
  )
  for (const path of new Set([existing, ...own])) {
    const fault = await writeFault(path)
    if (fault) return wrong(`${path} cannot be written (${fault}); ${remedyOf(fault)}`)
  }
  if (existing !== root) return 'does not exist yet; `holdshort start` creates it'
  requireRestored(root)
  const simulated = await readSimulatedMark(root)
  await requirePublishedWorld(root)
  if (simulated !== null && simulated !== (settings.simulated_world !== undefined))
    return wrong(
      `${root} holds ${simulated ? 'simulated' : 'live'} data, which \`start\` refuses to mix; choose another folder with --data-dir`,
    )
  const alone = await folderHolder(root, 'alone')
  if (alone)
    return wrong(`"${alone.command}" (process ${alone.pid} on ${alone.host}) needs it alone; wait until it has ended`)
  const supervisor = await folderHolder(root, 'supervisor')
  const users = supervisor ? [supervisor] : await folderSharers(root)
  const used = users.map(({ command, pid, host }) => `"${command}" (process ${pid} on ${host})`).join(', ')
  if (isOpenToOthers(root)) {
    const mode = (statSync(root).mode & 0o777).toString(8)
    return warning(
      `other users may look into ${root} (mode ${mode}), although not read its secrets; run chmod 700 on it`,
    )
  }
  const held = simulated === null ? 'holds no data yet' : `holds ${simulated ? 'simulated' : 'live'} data`
  return used === '' ? `${held}; used by nobody` : `${held}; used by ${used}`
}

export const checkDisk = async ({ data_dir, min_free_bytes }: Settings): Promise<Verdict> =>
  diskVerdict(await freeSpace(existingFolder(data_dir)), min_free_bytes)

/** A publication and its captures make some hundred files. */
const MIN_FREE_FILES = 1_000

/** Whether a disk has room for more. */
export function diskVerdict({ bytes, files }: FreeSpace, minBytes: number): Verdict {
  if (bytes < minBytes)
    return wrong(
      `${bytes} bytes free, less than HOLDSHORT_MIN_FREE_BYTES (${minBytes}); free some space: with a full disk nothing is collected`,
    )
  if (files !== null && files < MIN_FREE_FILES)
    return wrong(
      `only ${files} files can still be made on this file system, however many bytes are free (df -i); delete files, or move the data folder to one with more inodes`,
    )
  return `${(bytes / 1e9).toFixed(1)} GB free`
}

/** Whether the state on SQLite opens, is whole and readable for its owner only. */
export async function checkState({ data_dir, key_pepper, key_pepper_former }: Settings): Promise<Verdict> {
  const paths = dataPaths(data_dir)
  const marker = readMarker(paths.state_marker)
  if (marker?.on === 'postgresql') return wrong(missing(paths.state, marker).message)
  if (!existsSync(paths.state))
    return marker || existsSync(`${paths.state}-wal`) || existsSync(paths.pepper)
      ? wrong(`${paths.state} is missing although what lies beside it is there; put it back, or restore a backup`)
      : 'none yet; `holdshort start` creates it'
  const peppers = key_pepper === undefined ? readPepperFile(paths.pepper) : [key_pepper, ...key_pepper_former]
  if (peppers === null)
    return wrong(
      `${paths.pepper} is missing or empty, so that no issued key would work; restore it from a backup or set HOLDSHORT_KEY_PEPPER`,
    )
  const isUsed = (await folderSharers(data_dir)).length > 0
  const fault = await stateFault(paths.state, marker, isUsed, peppers)
  if (fault === WRONG_PEPPER)
    return wrong(
      `${key_pepper === undefined ? paths.pepper : 'HOLDSHORT_KEY_PEPPER'} differs from the secret that this state was created with${isUsed ? '; the running service goes on with what it loaded' : ''}; put it back before the next start, or no key will be valid`,
    )
  if (fault === OTHER_RELEASE)
    return wrong(`${paths.state} cannot be used: ${fault}; install that release, or restore a backup of before`)
  if (fault !== null)
    return wrong(`${paths.state} is damaged or incomplete (${fault}); stop the service and restore a backup`)
  const open = [paths.state, `${paths.state}-wal`, paths.pepper].filter(isOpenToOthers)
  return open.length === 0
    ? 'opens and is whole'
    : warning(`other users may read ${open.join(', ')}; the next start takes that right away, or run chmod 600`)
}

interface SnapshotCheck {
  verdict: Verdict
  snapshot: Snapshot | null
}

/** Checks the current snapshot; returns the sound one that would be served too. */
export function checkSnapshot(settings: Settings, now: number): Promise<SnapshotCheck> {
  return checkReadable(settings, now).catch((error: NodeJS.ErrnoException) => {
    if (!isOutOfReach(error)) throw error
    const { snapshots } = dataPaths(settings.data_dir)
    const text = `${snapshots} cannot be read (${error.code}); look at its permissions and its disk`
    return { snapshot: null, verdict: wrong(text) }
  })
}

async function checkReadable(settings: Settings, now: number): Promise<SnapshotCheck> {
  const { snapshots } = dataPaths(settings.data_dir)
  const faults: string[] = []
  const snapshot = await loadSoundSnapshot(snapshots, (_id, error) => faults.push((error as Error).message))
  if (snapshot === null) {
    return faults.length === 0
      ? { snapshot, verdict: 'none published yet' }
      : {
          snapshot,
          verdict: wrong(`no snapshot is sound (${faults[0]}); publish a new one with \`holdshort run publish\``),
        }
  }
  const missing = (await currentSnapshotId(snapshots)) === null ? ['the pointer CURRENT is missing'] : []
  const [fault] = [...faults, ...missing]
  if (fault)
    return {
      snapshot,
      verdict: wrong(`${fault}; ${snapshot.id} is served instead; publish a new one with \`holdshort run publish\``),
    }
  const [newest] = await listSnapshotIds(snapshots)
  const ahead = snapshot.generated_ms - now
  if (ahead > CLOCK_AHEAD_MS)
    return {
      snapshot,
      verdict: wrong(
        `${newest} was published ${Math.round(ahead / 60_000)} minutes in the future; set the clock of ${settings.store === 'folder' ? 'this machine' : 'the machine whose pipeline leads'}`,
      ),
    }
  return { snapshot, verdict: `${snapshot.id}, readable` }
}

/** Whether every row of the warehouse can be read; and how old the copy is that would replace a damaged file. */
export async function checkWarehouse(settings: Settings): Promise<Verdict> {
  const { warehouse_file, warehouse_copy, warehouse_mark, unfinished_repair } = dataPaths(settings.data_dir)
  if (existsSync(unfinished_repair)) return wrong(UNFINISHED_REPAIR)
  if (![warehouse_file, warehouse_mark].some((path) => existsSync(path)) && !wasFilled(settings.data_dir))
    return 'none yet; `holdshort start` creates it'
  const copy = existsSync(warehouse_copy)
    ? `the last copy is of ${isoUtc(statSync(warehouse_copy).mtimeMs)}`
    : 'no copy yet'
  try {
    const rows = `${countText(rowsIn(await readInFull(settings.data_dir, WAREHOUSE_WAIT_MS)), 'row')}, all readable; ${copy}`
    const [newestCopy] = keptCopies(settings.data_dir)
    if (newestCopy === undefined) return rows
    return warning(
      `${rows}; WAREHOUSE_COPY_DIFFERS: ${newestCopy.path} was kept because the copy after it lacks ${lossText(newestCopy)}. If these rows should be there, stop the service and run \`holdshort repair --from ${newestCopy.path}\`; then, or if they may go, delete it`,
    )
  } catch (error) {
    if (!(error instanceof HoldshortError)) throw error
    if (error.code === 'WAREHOUSE_LOCKED') return unknown(error.message)
    if (error.code !== 'WAREHOUSE_CORRUPT') return wrong(`${error.code}: ${error.message}; ${copy}`)
    return wrong(`${warehouse_file} is damaged or gone (${error.message}); ${copy}`)
  }
}

/** How long the doctor waits for a process that holds the warehouse. */
const WAREHOUSE_WAIT_MS = 20_000

/** Whether the newest model of each airport is the one that was saved; `snapshot` says which were trained. */
export async function checkModels({ data_dir, store }: Settings, snapshot: Snapshot | null): Promise<Verdict> {
  const { models } = dataPaths(data_dir)
  const registry = await readRegistry(models).catch((error: Error) => error.message)
  if (typeof registry === 'string') return wrong(registry)
  const faults: string[] = []
  const missing = new Set<string>()
  let otherReleaseCount = 0
  let count = 0
  for (const kind of TRAINED_KINDS) {
    const subjects = await trainedSubjects(models, kind)
    count += subjects.length
    const trained = [
      ...registry.champions.filter((champion) => champion.kind === kind).map(({ subject }) => subject),
      ...(kind === 'security' ? (snapshot?.accuracy().backtests ?? []).map(({ iata }) => iata) : []),
    ]
    for (const subject of trained) if (!subjects.includes(subject)) missing.add(`${kind} ${subject}`)
    for (const subject of subjects) {
      const serving = await servingFolder(models, registry, { kind, subject }, Date.now())
      if (serving === null) continue
      const fault = await readSoundCard(serving).then(
        () => null,
        (error: Error) => error,
      )
      if (fault instanceof OtherFormatError) otherReleaseCount++
      else if (fault) faults.push(`${relative(models, serving)} (${faultText(fault)})`)
    }
  }
  // Of several machines those alone that train have the models.
  if (missing.size > 0 && store === 'folder')
    return wrong(
      `trained, but missing in ${models}: ${namedFew([...missing])}; their queues are forecast without a model of their own until the daily training. Restore the folder from a backup, or run \`holdshort train\``,
    )
  if (faults.length === 0 && otherReleaseCount > 0)
    return warning(
      `${otherReleaseCount} of ${count} are of a release with other inputs: their queues are forecast without a model of their own until the daily training; \`holdshort train\` makes them now`,
    )
  if (faults.length === 0) return count === 0 ? 'none trained yet' : countText(count, 'model')
  return wrong(`damaged: ${faults.slice(0, 3).join(', ')}; the one before is used; run \`holdshort train\``)
}

/** The first five of some names, and how many more there are. */
const namedFew = (names: readonly string[]) => partText(names.slice(0, 5), names.length)

const faultText = (error: Error) => (error.message.split('\n')[0] ?? '').slice(0, 100)

/** Whether the models are as good as their backtests, as the snapshot publishes it. */
export function checkForecasts(snapshot: Snapshot | null): Verdict {
  if (snapshot === null) return unknown('known after the first snapshot')
  const { drifting, recorded_since } = snapshot.accuracy()
  if (drifting.length > 0) {
    const named = drifting.map(({ iata, state }) => (state === 'on_rule' ? `${iata} (the rule serves)` : iata))
    return warning(`models that drift: ${namedFew(named)}; see the page /accuracy and the notices forecast_drift`)
  }
  return recorded_since === null
    ? unknown('no forecast has come true yet')
    : `recorded since ${recorded_since.slice(0, 10)}; no model drifts`
}

/** The status of the service in the words of `/status`. A service that is stopped is down, which a start mends: no more than a warning. */
export function checkStatus(snapshot: Snapshot | null, now: number): Verdict {
  const { status, reason } = statusReport(snapshot, now)
  if (status === 'ok') return status
  const says = `${status}: ${reason}`
  return status === 'starting' ? unknown(says) : warning(says)
}

/** The recorded states of the sources, as the snapshot publishes them. */
export function checkSources(snapshot: Snapshot | null, active: ReadonlySet<string>): Verdict {
  const activeText = `${active.size} active`
  if (snapshot === null) return unknown(`${activeText}; their state is known after the first snapshot`)
  const tried = snapshot
    .sourceHealth()
    .filter(({ source, state }) => active.has(source) && state !== 'off' && state !== 'not_asked')
  const failing = tried.filter(({ state }) => state === 'failing' || state === 'open_circuit')
  if (tried.length === 0) return unknown(`${activeText}; none has been asked yet`)
  const when = `at ${isoUtc(snapshot.generated_ms)}`
  if (failing.length === tried.length)
    return wrong(
      `all ${failing.length} sources failed ${when} (${failing[0]?.last_error_message ?? failing[0]?.reason ?? 'no reason'}); check the network, the proxy and the name server of this machine`,
    )
  const text = `${tried.length - failing.length} of ${tried.length} answered ${when}`
  return failing.length === 0
    ? `${activeText}; ${text}`
    : warning(
        `${text}; failing: ${failing
          .slice(0, 5)
          .map(({ source }) => source)
          .join(', ')}${failing.length > 5 ? ` and ${failing.length - 5} more` : ''}; see \`holdshort sources\``,
      )
}
