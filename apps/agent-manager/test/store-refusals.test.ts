import { REFUSALS, refuse, type AgentRefusal } from '@gateway/agent-manager-client';
import type { AgentStore } from '@gateway/agent-releases';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSPORTS, overMcp, overRest } from './harness/transports.ts';
import { startService, type StartedService } from './harness/started-service.ts';

const NEW = { name: 'new', modelConfig: 'small', toolset: ['preset:none'] };

/** The refusal of the next writes; undefined to perform them. */
let refusal: AgentRefusal | undefined;
let isBroken = false;

const refusing = (store: AgentStore): AgentStore =>
  Object.assign(Object.create(store) as AgentStore, {
    createRelease: (release) => {
      if (isBroken) throw new Error('a secret of the machine');
      return refusal === undefined
        ? store.createRelease(release)
        : Promise.resolve({ ok: false, error: refusal });
    },
    replaceRelease: (release, revision) =>
      refusal === undefined
        ? store.replaceRelease(release, revision)
        : Promise.resolve({ ok: false, error: refusal }),
  } satisfies Partial<AgentStore>);

let service: StartedService;
beforeAll(async () => {
  service = await startService({ store: refusing });
  await overRest(service.url, 'create_agent', { ...NEW, name: 'sre' });
});
afterAll(() => service.stop());

const CHANGED = REFUSALS.releaseChanged({ namespace: 'default', name: 'sre' });
const CHANGED_TEXT =
  'HelmRelease default/sre has changed since it was read; read the agent again and repeat the change';
const UNKNOWN = 'the Kubernetes API does not accept the credentials';

const CASES: readonly (readonly [number, string, AgentRefusal, text: string])[] = [
  [401, 'info', refuse('unauthenticated', UNKNOWN).error, `unauthorized: ${UNKNOWN}`],
  [403, 'info', refuse('forbidden', 'it is forbidden').error, 'forbidden: it is forbidden'],
  [409, 'info', CHANGED, `conflict: ${CHANGED_TEXT}`],
  [501, 'info', refuse('unsupported', 'no skills').error, 'unsupported: no skills'],
  [502, 'error', refuse('backend_error', 'it could not be asked').error, 'it could not be asked'],
];

describe.each(Object.entries(TRANSPORTS))('over %s', (transport, ask) => {
  it.each(CASES)(
    'a refusal of a store has status %i, and is logged as %s',
    async (status, level, given, message) => {
      refusal = given;
      const { code } = given;
      for (const operation of ['create_agent', 'update_agent'] as const) {
        const before = service.logs().length;
        const asked = operation === 'create_agent' ? NEW : { name: 'sre', description: 'x' };
        expect(await ask(service.url, operation, asked)).toEqual({
          status,
          body: { error: { code, message } },
        });
        expect(service.logs().slice(before)).toMatchObject([{ level, operation, transport, code }]);
      }
      refusal = undefined;
    },
  );

  it('the same call succeeds when the store accepts it', async () => {
    expect(
      await ask(service.url, 'update_agent', { name: 'sre', description: transport }),
    ).toMatchObject({ status: 200, body: { changed: ['agent.description'] } });
  });
});

it('a store that throws is a backend failure over both transports', async () => {
  isBroken = true;
  const rest = await overRest(service.url, 'create_agent', NEW);
  expect(rest).toMatchObject({ status: 502, body: { error: { code: 'backend_error' } } });
  expect(await overMcp(service.url, 'create_agent', NEW)).toEqual(rest);
  isBroken = false;
});
