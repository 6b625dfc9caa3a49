import * as errors from 'oidc-provider/lib/helpers/errors.js'
import * as interactionPolicy from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import { Provider } from 'oidc-provider/lib/provider.js'

/**
 * The parts of oidc-provider that are used here. Its main file exports these same modules, and on every start on Node.js 20, which
 * is tested here too, it prints a warning.
 */
export { errors, interactionPolicy, Provider }
