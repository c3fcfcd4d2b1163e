import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import type { Revision, Scenario, Side } from './scenario.ts';
import { packageFile } from './installed.ts';

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
export function requirementSet(revision: Revision): readonly Scenario[] {
  const folder = dirname(packageFile('@modelcontextprotocol/conformance'));
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
