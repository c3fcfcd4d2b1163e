import { createMemoryStore } from '@gateway/state-store';
import { expect, it } from 'vitest';
import { authorizationRequest, clientBrowser, signInAs } from '../broker/harness/client.ts';
import { startGateway } from '../broker/harness/gateway.ts';

const MIB = 1024 * 1024;

/** The codes of a sign-in are valid for a minute, in which a busy machine must end all sign-ins that start at once. */
const AT_ONCE = 50;

it('signs 1,000 users in, 50 at once, each as themselves', { timeout: 300_000 }, async () => {
  const gateway = await startGateway();
  const names = Array.from({ length: 1000 }, (_, at) => `user-${at}`);
  const answers: Awaited<ReturnType<typeof signInAs>>[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const wave = names.slice(at, at + AT_ONCE);
    answers.push(...(await Promise.all(wave.map((name) => signInAs(gateway, name)))));
  }
  expect(new Set(answers.map(({ status, body }) => body['error'] ?? status))).toEqual(
    new Set([200]),
  );
  const users = await Promise.all(
    answers.map(async ({ body }) => {
      const outcome = await gateway.broker.verifier.verify(String(body['access_token']));
      return outcome.ok ? outcome.principal.subject : outcome.code;
    }),
  );
  expect(users).toEqual(names);
  await gateway.close();
});

it(
  'answers all of 3,000 sign-ins that start at once when the store has no place for them',
  { timeout: 300_000 },
  async () => {
    const store = createMemoryStore({ maxEntries: 500, maxBytes: MIB });
    const gateway = await startGateway({ store });
    const before = process.memoryUsage().heapUsed;
    const answers = await Promise.all(
      Array.from({ length: 3000 }, async () => {
        const { url } = authorizationRequest(gateway);
        const { status, headers } = await clientBrowser().request(url);
        const location = new URL(headers.get('location') ?? '', gateway.url);
        if (location.pathname.startsWith('/oauth/interaction/')) return 'started';
        return location.searchParams.get('error') ?? status;
      }),
    );
    expect(answers).toHaveLength(3000);
    expect(answers).toContain('started');
    // The store is full after 500 entries; 2,000 requests a minute are taken.
    expect(['started', 'temporarily_unavailable', 429]).toEqual(
      expect.arrayContaining([...new Set(answers)]),
    );
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * MIB);
    await gateway.close();
    await store.close();
  },
);
