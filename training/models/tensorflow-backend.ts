import '@tensorflow/tfjs-backend-cpu'
import '@tensorflow/tfjs-backend-wasm'
import * as tf from '@tensorflow/tfjs-core'

/** Fastest first. `tensorflow` exists only where the operator has installed @tensorflow/tfjs-node. */
const BACKENDS = ['tensorflow', 'wasm', 'cpu'] as const
const OPTIONAL_ACCELERATOR: string = '@tensorflow/tfjs-node'

let started: Promise<string> | null = null

/** Starts TensorFlow.js on the fastest backend that works on this machine and returns its name. Runs once per process. */
export function startBackend(): Promise<string> {
  started ??= pickBackend()
  return started
}

async function pickBackend(): Promise<string> {
  // An accelerator that is not installed or does not work with this Node is no error: wasm is used.
  await import(OPTIONAL_ACCELERATOR).catch(() => null)
  for (const name of BACKENDS) if (tf.findBackendFactory(name) && (await tf.setBackend(name))) break
  await tf.ready()
  return tf.getBackend()
}
