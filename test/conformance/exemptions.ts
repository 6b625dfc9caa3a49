/** Scenarios that are not passed, and why they say nothing of a server like this one. */
export interface Exemption {
  reason: string
  scenarios: string[]
  /** Only these runs; in all others the scenario is to pass. */
  runs?: string[]
  /** Only these checks: all others of the scenario are to pass. */
  checks?: string[]
  /** The suite calls it passed, but only because its own tool was refused: it is not counted. */
  hollow?: true
}

export const EXEMPTIONS: Exemption[] = [
  {
    reason:
      'Asks for tools or prompts of the suite that give images, sound or embedded resources. Ours give text and structure.',
    scenarios: [
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ],
  },
  {
    reason: 'Reads a binary resource of the suite. Ours are Markdown and JSON.',
    scenarios: ['resources-read-binary'],
  },
  {
    reason:
      'Reads a resource by a template of the suite. There are no templates: what is known of an airport is asked by tools.',
    scenarios: ['resources-templates-read'],
  },
  {
    reason:
      'Looks for its own words, given as arguments, in the answer. Our prompts take airports and dates, and refuse such words.',
    scenarios: ['prompts-get-with-args'],
  },
  {
    reason:
      'Subscriptions to resources are not declared: a client that is told of changes keeps a connection, and this server is stateless.',
    scenarios: ['resources-subscribe', 'resources-unsubscribe'],
  },
  {
    reason: 'Logging to the client is not declared; what a caller is to know stands in the answer.',
    scenarios: ['logging-set-level', 'tools-call-with-logging'],
  },
  {
    reason:
      'The server never asks the client for a model’s answer or for the person’s: a stateless server cannot be answered.',
    scenarios: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
  },
  {
    reason: 'No tool needs further input in the midst of a call, so none answers input_required.',
    scenarios: [
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
    ],
  },
  {
    reason: 'The same. It is passed, but only because the tool it calls is refused as unknown.',
    scenarios: ['input-required-result-validate-input'],
    hollow: true,
  },
  {
    reason:
      'There are no sessions (no Mcp-Session-Id), so there is no life of one, no stream to resume and none to poll.',
    scenarios: ['server-session-lifecycle', 'server-sse-polling'],
  },
  {
    reason: 'The same. In the protocol of 2026-07-28, which has no sessions, it is to pass.',
    scenarios: ['server-sse-multiple-streams'],
    runs: ['0.1', '0.2', '0.2 2025-11-25'],
  },
  {
    reason: 'Wants a listing with $defs and $ref. Ours writes references out, as clients of 2025 follow none.',
    scenarios: ['json-schema-2020-12'],
  },
  {
    reason: 'These checks need diagnostic tools of the suite, which ask the client for something or log to it.',
    scenarios: ['server-stateless'],
    checks: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    reason: 'No tool takes an argument by an HTTP header (x-mcp-header).',
    scenarios: ['http-custom-header-server-validation'],
  },
  {
    reason: 'The tasks extension is not declared: the slowest tool ends within seconds and tells its progress.',
    scenarios: [
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ],
  },
  {
    reason:
      'The skills extension is not declared: skills are served over plain HTTP, at /.well-known/agent-skills/index.json.',
    scenarios: ['sep-2640-skills-directory', 'sep-2640-skills-enumeration', 'sep-2640-skills-manifest'],
  },
]
