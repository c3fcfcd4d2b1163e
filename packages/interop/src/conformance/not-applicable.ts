import type { Revision, Scenario, Side } from './scenario.ts';

/** Scenarios of one side that cannot apply to the gateway, and why. */
export interface NotApplicable {
  readonly side: Side;
  readonly reason: string;
  readonly scenarios: Readonly<Record<Revision, readonly string[]>>;
}

/** Optional extensions of authorization that both revisions report. */
const AUTHORIZATION_EXTENSIONS = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/enterprise-managed-authorization',
  'auth/dpop',
  'auth/dpop-nonce',
  'auth/wif-jwt-bearer',
];

/** All such scenarios. A scenario that is neither run nor listed here fails the run, and so does one that is listed and unknown to the suite. */
export const NOT_APPLICABLE: readonly NotApplicable[] = [
  {
    side: 'client',
    reason: 'Optional extensions of authorization, which the gateway does not declare.',
    scenarios: { '2025-11-25': AUTHORIZATION_EXTENSIONS, '2026-07-28': AUTHORIZATION_EXTENSIONS },
  },
  {
    side: 'server',
    reason: 'Tasks are an optional extension, which the gateway does not declare.',
    scenarios: {
      '2025-11-25': [],
      '2026-07-28': [
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
  },
];

/** Returns why a scenario cannot apply to the gateway, or undefined when it applies. */
export function reasonNotToApply({ revision, side, name }: Scenario): string | undefined {
  return NOT_APPLICABLE.find(
    (entry) => entry.side === side && entry.scenarios[revision].includes(name),
  )?.reason;
}
