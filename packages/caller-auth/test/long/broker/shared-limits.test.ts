import { createMemoryStore } from '@gateway/state-store';
import { CookieBrowser } from '@gateway/test-peers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { start, type ConnectedGateway } from '../../broker/harness/client.ts';
import type { TestGatewayOptions } from '../../broker/harness/gateway.ts';

/** Starts two processes of a gateway, whose clocks are at one minute. */
const startTwo = async (options: TestGatewayOptions = {}): Promise<readonly ConnectedGateway[]> => {
  const now = Date.now();
  const store = createMemoryStore({ maxEntries: 200_000, maxBytes: 256 * 1024 * 1024 });
  onTestFinished(() => store.close());
  const shared = { ...options, store, now: () => now };
  return [await start(shared), await start(shared)];
};

const REGISTRATION = {
  redirect_uris: ['http://127.0.0.1:9999/cb'],
  token_endpoint_auth_method: 'none',
};

/** Sends requests in rounds of 50 to all processes in turn, and returns how many answers have each status. */
const counted = async (
  gateways: readonly ConnectedGateway[],
  send: (gateway: ConnectedGateway) => Promise<Response>,
  rounds: number,
): Promise<ReadonlyMap<number, number>> => {
  const counts = new Map<number, number>();
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(
      Array.from({ length: 50 / gateways.length }, () =>
        gateways.map(async (gateway) => {
          const { status } = await send(gateway);
          counts.set(status, (counts.get(status) ?? 0) + 1);
        }),
      ).flat(),
    );
  return counts;
};

describe('two processes with one store', () => {
  it('register together as many clients in a minute as one', async () => {
    const gateways = await startTwo({
      settings: { registration: { enabled: true, perMinute: 5 } },
    });
    expect(await counted(gateways, ({ register }) => register(REGISTRATION), 1)).toEqual(
      new Map([
        [201, 5],
        [429, 45],
      ]),
    );
  });

  it('store together as many started sign-ins in a minute as one', async () => {
    const send = ({ request }: ConnectedGateway) => fetch(request().url, { redirect: 'manual' });
    const counts = await counted(await startTwo(), send, 44);
    // A process reserves 40 at a time.
    expect(counts.get(303)).toBeLessThanOrEqual(2_000);
    expect(counts.get(303)).toBeGreaterThan(1_960);
    expect(counts.get(429)).toBeGreaterThanOrEqual(200);
  });

  it('fetch together as many documents of clients in a minute as one', async () => {
    const fetched: string[] = [];
    const gateways = await startTwo({
      fetchDocument: (input) => {
        fetched.push(String(input));
        return Promise.resolve(new Response('', { status: 404 }));
      },
    });
    for (let count = 0; count < 75; count += 1)
      for (const [index, gateway] of gateways.entries()) {
        const changes = { client_id: `https://client.example/${String(index)}/${String(count)}` };
        const page = await new CookieBrowser().open(gateway.request(changes).url);
        expect(page.status).toBe(400);
      }
    expect(fetched).toHaveLength(120);
  });
});
