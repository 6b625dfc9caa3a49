import { Counter, type Registry } from 'prom-client'
import type { Gate } from '../gate/admission.ts'

/** Shows the gate's own counts when asked; the gate itself knows nothing of metrics. */
export function addGateCounter(registry: Registry, { decisions }: Gate): void {
  new Counter({
    name: 'holdshort_gate_decisions_total',
    help: 'Decisions of the gate on calls with a key.',
    labelNames: ['decision'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [decision, made] of Object.entries(decisions)) this.inc({ decision }, made)
    },
  })
}
