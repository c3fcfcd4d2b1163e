import type { StoreChange } from '@gateway/agent-releases';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TRANSPORTS, overRest } from './harness/transports.ts';
import { filesIn } from './harness/files-in.ts';
import { valuesOf } from './harness/schema-values.ts';
import { startService, type StartedService } from './harness/started-service.ts';

let service: StartedService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('validate_agent writes nothing for any arguments: no file changes and no watcher is notified', async () => {
  const changes: StoreChange[] = [];
  const unwatch = service.store.watch(['default'], (change) => changes.push(change));
  const agent = { name: 'sre', modelConfig: 'small', toolset: ['preset:read-only'] };
  await overRest(service.url, 'create_agent', agent);
  await expect.poll(() => changes.length).toBe(2);
  const before = filesIn(service.directory);
  const verdicts = new Set<unknown>();
  const calls = fc.sample(valuesOf('validate_agent'), { numRuns: 120, seed: 7 });
  const valid = [
    { ...agent, name: 'new' },
    { name: 'sre', update: true, displayName: 'SRE' },
  ];
  for (const given of [...calls, ...valid])
    for (const ask of Object.values(TRANSPORTS)) {
      const { body } = await ask(service.url, 'validate_agent', given);
      const verdict = body as { mode?: string; valid?: boolean };
      verdicts.add(
        verdict.mode === undefined ? 'refused' : `${verdict.mode} ${String(verdict.valid)}`,
      );
    }
  expect([...verdicts].toSorted()).toEqual([
    'create false',
    'create true',
    'refused',
    'update false',
    'update true',
  ]);
  expect(filesIn(service.directory)).toEqual(before);
  // Only a write that follows is reported.
  await overRest(service.url, 'update_agent', { name: 'sre', displayName: 'SRE' });
  await expect.poll(() => changes.length).toBeGreaterThan(2);
  unwatch();
  expect(changes.slice(2)).toEqual([
    { kind: 'HelmRelease', object: { namespace: 'default', name: 'sre' }, change: 'written' },
  ]);
});
