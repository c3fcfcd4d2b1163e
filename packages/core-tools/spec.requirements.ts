import type { Requirements } from '@gateway/repo-checks';

/** What this package owes to the spec. */
export const requirements = {
  '2.3/core-list-read-only': 'The core tools core_*_list are annotated read-only.',
  '2.3/core-get-read-only': 'The core tools core_*_get are annotated read-only.',
  '2.3/core-validate-read-only': 'The core tools core_*_validate are annotated read-only.',
  '2.3/core-config-get-read-only': 'The core tools core_config_get* are annotated read-only.',
  '2.3/core-events-read-only': 'The core tool core_events is annotated read-only.',
  '2.3/core-detect-read-only': 'The core tool core_mcpserver_detect is annotated read-only.',
  '2.3/core-auth-login-read-only': 'The core tool core_auth_login is annotated read-only.',
  '2.7/store-warning-authoring':
    'A workflow using store logs a one-line deprecation warning on the structured authoring path.',
  '2.7/output-inert-warning':
    'With spec.output declared, the gateway logs a one-line warning naming the inert flags.',
  '6/core-events': 'core_events is a core tool, and read-only.',
  '9.2/core-annotations': 'Gateway 5.13.0 brings annotations on core tools.',
} as const satisfies Requirements;
