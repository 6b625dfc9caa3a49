import type { Snapshot } from '../../../warehouse/serving/snapshot/snapshot.ts'

/** How many sources are healthy, and where to read of each. */
export function sourcesSection(snapshot: Snapshot): string {
  const asked = snapshot.sourceHealth().filter(({ state }) => state !== 'off' && state !== 'not_asked')
  if (asked.length === 0)
    return '<p>No source has been asked yet. The <a href="/status">status page</a> names them.</p>'
  const healthy = asked.filter(({ state }) => state === 'healthy').length
  return `<p><strong>${healthy} of ${asked.length} sources</strong> are healthy. The <a href="/status">status page</a> shows each, with its publisher, its state and its uptime; those in trouble come first.</p>`
}
