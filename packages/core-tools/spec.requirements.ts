import type { Requirements } from '@gateway/repo-checks';

/** What this package owes to the spec. */
export const requirements = {
  '2.3/core-list-read-only': 'The core tools core_*_list are annotated read-only.',
  '2.3/core-get-read-only': 'The core tools core_*_get are annotated read-only.',
  '2.3/core-config-get-read-only': 'The core tools core_config_get* are annotated read-only.',
  '9.2/core-annotations': 'Gateway 5.13.0 brings annotations on core tools.',
} as const satisfies Requirements;
