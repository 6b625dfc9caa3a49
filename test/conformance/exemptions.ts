/** Scenarios that do not pass, and why they do not apply to this server. */
export interface Exemption {
  reason: string
  scenarios: string[]
  /** Only in these runs; in all others the scenario must pass. */
  runs?: string[]
  /** Only these checks; all others of the scenario must pass. */
  checks?: string[]
  /** The suite reports it as passed, but only because its own tool was rejected: it is not counted. */
  vacuous?: true
}

export const EXEMPTIONS: Exemption[] = [
  {
    reason:
      'Uses tools or prompts of the suite that return images, sound or embedded resources. Ours return text and structured content.',
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
      'Reads a resource by a template of the suite. This server has no templates: tools answer questions about an airport.',
    scenarios: ['resources-templates-read'],
  },
  {
    reason:
      'Expects its own words, passed as arguments, in the answer. Our prompts accept airports and dates, and reject other words.',
    scenarios: ['prompts-get-with-args'],
  },
  {
    reason: 'Subscriptions to resources are not declared: they need an open connection, and this server is stateless.',
    scenarios: ['resources-subscribe', 'resources-unsubscribe'],
  },
  {
    reason: 'Logging to the client is not declared; the answer contains everything that a client needs.',
    scenarios: ['logging-set-level', 'tools-call-with-logging'],
  },
  {
    reason:
      'The server never requests sampling or elicitation from the client: a stateless server cannot receive the answer.',
    scenarios: [
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
  },
  {
    reason: 'No tool needs further input during a call, so none answers input_required.',
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
    reason: 'The same. It passes, but only because the tool it calls is rejected as unknown.',
    scenarios: ['input-required-result-validate-input'],
    vacuous: true,
  },
  {
    reason:
      'There are no sessions (no Mcp-Session-Id), so there is no session lifecycle and no stream to resume or poll.',
    scenarios: ['server-session-lifecycle', 'server-sse-polling'],
  },
  {
    reason: 'The same. In the protocol of 2026-07-28, which has no sessions, it must pass.',
    scenarios: ['server-sse-multiple-streams'],
    runs: ['0.1', '0.2', '0.2 2025-11-25'],
  },
  {
    reason:
      'Expects a listing with $defs and $ref. Our listing inlines references, because clients of 2025 do not resolve them.',
    scenarios: ['json-schema-2020-12'],
  },
  {
    reason: 'These checks need diagnostic tools of the suite that send requests or log messages to the client.',
    scenarios: ['server-stateless'],
    checks: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  },
  {
    reason: 'No tool takes an argument from an HTTP header (x-mcp-header).',
    scenarios: ['http-custom-header-server-validation'],
  },
  {
    reason: 'The tasks extension is not declared: the slowest tool ends within seconds and reports its progress.',
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
