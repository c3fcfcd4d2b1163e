import { beforeAll, describe, expect, it } from 'vitest';
import { runCompat } from '../../src/compat/compat-run.ts';
import { FEATURES, SERVER_FEATURES } from '../../src/compat/features.ts';
import {
  isQuick,
  listQuickClients,
  listQuickServers,
  type QuickRegistry,
} from '../../src/compat/peers.ts';
import type { CompatResults, SubjectResult } from '../../src/compat/compat-page.ts';

/** More than the time limits of all features of a run. */
const RUN_MS = 600_000;

const featuresOf = (client: string): readonly [title: string, feature: string][] =>
  FEATURES.filter(({ id }) => isQuick(client, id)).map(({ title, id }) => [title, id]);

/** Runs the clients and servers of a registry, and says for each feature what it showed. */
export function testQuickClients(registry: QuickRegistry): void {
  let results: CompatResults = { date: '', clients: [], servers: [], guide: [] };

  beforeAll(async () => {
    results = await runCompat({
      clients: listQuickClients(registry),
      servers: listQuickServers(registry),
      isSelected: isQuick,
    });
  }, RUN_MS);

  const toVerdict = (subjects: readonly SubjectResult[], id: string, feature: string): string => {
    const verdict = subjects.find((subject) => subject.id === id)?.verdicts[feature];
    return verdict?.kind === 'fails' ? verdict.problem : (verdict?.kind ?? 'not run');
  };

  for (const { id, title } of listQuickClients(registry))
    describe(`${title} before the gateway`, () => {
      it.each(featuresOf(id))('has %s', (_, feature) => {
        expect(['works', 'absent']).toContain(toVerdict(results.clients, id, feature));
      });
    });

  for (const { id } of listQuickServers(registry))
    describe(`the server ${id} behind the gateway`, () => {
      it.each(SERVER_FEATURES.map((feature) => [feature.title, feature.id]))(
        'has %s',
        (_, feature) => {
          expect(['works', 'absent']).toContain(toVerdict(results.servers, id, feature));
        },
      );
    });
}
