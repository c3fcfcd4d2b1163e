import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { resolvePackageFile } from '../gateway.ts';

/** The revisions of the protocol whose requirements the gateway must pass. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

export type Revision = (typeof REVISIONS)[number];

/** The role that a scenario checks: the gateway as a server, as a client of servers, or as the authorization server of its clients. */
export type Side = 'server' | 'client' | 'authorization';

export interface Scenario {
  readonly revision: Revision;
  readonly side: Side;
  readonly name: string;
  /** True when the revision requires it. The suite runs and reports the others without counting them. */
  readonly scored: boolean;
}

/** The scenarios of authorization servers. The requirement set of a revision has no part for them; the suite has the same for all revisions. */
const AUTHORIZATION_SCENARIOS = [
  'authorization-server-metadata-endpoint',
  'authorization-code-grant',
] as const;

interface Requirements {
  readonly server: readonly string[];
  readonly client: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: 'server' | 'client' }[];
}

/**
 * Every scenario that the suite runs for a revision, in its order: first those that the revision requires, then those that are only
 * reported, and those of authorization servers. Read from the installed suite, so that no requirement can be omitted here.
 */
export function readRequirementSet(revision: Revision): readonly Scenario[] {
  const folder = dirname(resolvePackageFile('@modelcontextprotocol/conformance'));
  const file = join(folder, 'requirements', `${revision}.yaml`);
  const { server, client, not_scored } = parse(readFileSync(file, 'utf8')) as Requirements;
  const scored = (side: Side) => (name: string) => ({ revision, side, name, scored: true });
  return [
    ...server.map(scored('server')),
    ...client.map(scored('client')),
    ...not_scored.map(({ leg, scenario }) => ({
      revision,
      side: leg,
      name: scenario,
      scored: false,
    })),
    ...AUTHORIZATION_SCENARIOS.map((name) => ({
      revision,
      side: 'authorization' as const,
      name,
      scored: false,
    })),
  ];
}

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
const NOT_APPLICABLE: readonly NotApplicable[] = [
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
function findExclusionReason({ revision, side, name }: Scenario): string | undefined {
  return NOT_APPLICABLE.find(
    (entry) => entry.side === side && entry.scenarios[revision].includes(name),
  )?.reason;
}

/** The scenarios of a revision that are run, and those that are not. */
export interface Selection {
  /** They are run, and all must pass: those that the revision requires, and those that are only reported too. */
  readonly run: readonly Scenario[];
  readonly listed: readonly (Scenario & { readonly reason: string })[];
  /** Listed as not applicable, though the suite has no such scenario. */
  readonly unknown: readonly string[];
}

/** Divides the scenarios of a revision into those that are run and those that cannot apply; there is no third kind. */
export function selectScenarios(revision: Revision): Selection {
  const set = readRequirementSet(revision);
  const run: Scenario[] = [];
  const listed: (Scenario & { reason: string })[] = [];
  for (const scenario of set) {
    const reason = findExclusionReason(scenario);
    if (reason === undefined) run.push(scenario);
    else listed.push({ ...scenario, reason });
  }
  const unknown = NOT_APPLICABLE.flatMap(({ side, scenarios }) =>
    scenarios[revision].filter(
      (name) => !set.some((scenario) => scenario.side === side && scenario.name === name),
    ),
  );
  return { run, listed, unknown };
}
