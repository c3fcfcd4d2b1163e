import { signedInPrincipal } from '@gateway/call-contract';
import { expect, it } from 'vitest';
import { serveIdTokens, WorkerIdTokens } from '../../src/workers/worker-id-tokens.ts';
import { channels } from './channels.ts';

const ada = signedInPrincipal({ issuer: 'https://issuer.test', subject: 'ada' });

it('finds the token of a person in any worker, until the worker ends', async () => {
  const tokens = new WorkerIdTokens();
  const [without, having] = [channels(), channels()];
  for (const { primary } of [without, having]) tokens.add(primary.port('id-tokens'));
  serveIdTokens(
    { idToken: () => Promise.resolve({ ok: false, code: 'signed-out' }) },
    without.worker.port('id-tokens'),
  );
  serveIdTokens(
    {
      idToken: ({ key }, { audiences }) =>
        Promise.resolve(
          key === ada.key && audiences.length === 0
            ? { ok: true, token: 'secret', expiresAt: 1 }
            : { ok: false, code: 'audience-missing' },
        ),
    },
    having.worker.port('id-tokens'),
  );
  const find = (audiences: readonly string[]) => tokens.idToken(ada, { audiences });
  expect(await find([])).toEqual({ ok: true, token: 'secret', expiresAt: 1 });
  expect(await find(['other'])).toEqual({ ok: false, code: 'audience-missing' });
  having.close();
  expect(await find([])).toEqual({ ok: false, code: 'signed-out' });
});
