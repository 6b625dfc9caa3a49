import type { Settings } from '../../config/settings.ts'
import { launchBrowser } from '../../pipeline/transport/launch-browser.ts'
import { type Verdict, warning, wrong } from './finding.ts'

/** Nothing listens there: the doctor's browser opens an empty page only. */
const NO_PROXY = 'http://127.0.0.1:9'

/** Whether a browser starts here, and whether with its sandbox: it is started to find out. */
export async function checkBrowser({ chromium_path }: Settings): Promise<Verdict> {
  try {
    const { started, way } = await launchBrowser(chromium_path, NO_PROXY)
    await started.close()
    const text = `${way.browser.executable} (${way.browser.origin})`
    return way.unsandboxed === null
      ? `${text} starts with its sandbox`
      : warning(`${text} starts without its sandbox: ${way.unsandboxed}`)
  } catch (error) {
    if (chromium_path !== undefined) return wrong(`${chromium_path} cannot be started; correct HOLDSHORT_CHROMIUM_PATH`)
    return warning(`${(error as Error).message} Sources that need one are skipped.`)
  }
}
