import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { projectFile } from '../config/paths.ts'

/**
 * Writes the software bill of materials of a release (CycloneDX): every package that is installed with it, by the lock file.
 * npm names the product by its folder, so its name is put right.
 */
const { name, version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as Record<string, string>
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '--package-lock-only']
const text = execFileSync('npm', ['sbom', ...options], {
  cwd: projectFile(),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const bill = JSON.parse(text) as { metadata: { component: { name: string } }; components: unknown[] }
bill.metadata.component.name = name ?? ''
const path = projectFile(`${name}-${version}.cdx.json`)
writeFileSync(path, `${JSON.stringify(bill, null, 2)}\n`)
process.stdout.write(`${path}: ${bill.components.length} packages\n`)
