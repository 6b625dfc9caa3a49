import '@tensorflow/tfjs-backend-cpu'
import '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'

/** Fastest first. `tensorflow` exists only where the operator has installed @tensorflow/tfjs-node. */
const BACKENDS = ['tensorflow', 'wasm', 'cpu'] as const
const OPTIONAL_ACCELERATOR: string = '@tensorflow/tfjs-node'

let starting: Promise<string> | null = null

/** Starts TensorFlow.js on the fastest backend that works here and returns its name; done once. */
export function startBackend(): Promise<string> {
  starting ??= pickBackend()
  return starting
}

async function pickBackend(): Promise<string> {
  // An accelerator that is absent, or broken for this Node, leaves wasm in charge: that is no error.
  await import(OPTIONAL_ACCELERATOR).catch(() => null)
  for (const name of BACKENDS) if (tf.findBackendFactory(name) && (await tf.setBackend(name))) break
  await tf.ready()
  return tf.getBackend()
}
