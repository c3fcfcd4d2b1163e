import { describe, expect, it } from 'vitest';
import type { Principal } from '@gateway/call-contract';
import type { Downstream, DownstreamOutcome } from '../../src/index.ts';
import { testCaller } from '../harness/callers.ts';
import { testCredentials } from '../harness/credentials.ts';
import { eventually, failed, running } from '../harness/downstream.ts';
import { callFeature } from '../harness/feature-servers.ts';
import { startProtectedFeatures } from '../harness/protected-features.ts';
import { ada, bob } from '../harness/user-server.ts';

const clientFeatures = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} };

/** A server that ada and bob are signed in to. */
const signedIn = async (generation: 'gen1' | 'sse' | 'gen2') => {
  const features = await startProtectedFeatures(generation, ['ada-1', 'bob-1']);
  const credentials = testCredentials();
  const { downstream } = await running([features.server], { credentials, clientFeatures });
  credentials.signIn('features', ada, 'ada-1');
  credentials.signIn('features', bob, 'bob-1');
  await Promise.all([downstream.prepare(ada), downstream.prepare(bob)]);
  /** Ends the token of ada, which is renewed when the server refuses it. */
  const renewToken = (): void => {
    features.tokens.delete('ada-1');
    features.tokens.add('ada-2');
    credentials.onRejected = () => {
      credentials.refresh('features', ada, 'ada-2');
      return { ok: true, credential: { authorization: 'Bearer ada-2', id: 'id of ada-2' } };
    };
  };
  return { features, credentials, downstream, renewToken };
};

/** Follows a resource as a user. */
const follow = async (
  downstream: Downstream,
  principal: Principal,
): Promise<{ readonly updates: unknown[] }> => {
  const updates: unknown[] = [];
  const resource = { server: 'features', uri: 'test://one' };
  const onUpdated = (params: unknown) => updates.push(params);
  const outcome = await downstream.subscribeResource(resource, onUpdated, principal);
  expect(outcome).toMatchObject({ ok: true });
  return { updates };
};

/** Changes the resource; fails while there is no connection. */
const touch = (downstream: Downstream, principal: Principal): Promise<DownstreamOutcome> => {
  const call = { server: 'features', tool: 'touch', arguments: { uri: 'test://one' } };
  return downstream.callTool(call, { principal });
};

const FORM = { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } };
const QUESTIONS = [
  { method: 'roots/list', params: {}, own: false },
  { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 }, own: false },
  { method: 'elicitation/create', params: FORM, own: false },
];

/** Starts a call of a user that ends when the test cancels it. */
const hang = (downstream: Downstream, principal: Principal) => {
  const stop = new AbortController();
  const caller = testCaller('hanging');
  let isOver = false;
  const options = { caller, principal, signal: stop.signal };
  const outcome = callFeature(downstream, 'hang', {}, options)
    .catch(() => 'cancelled')
    .finally(() => (isOver = true));
  const cancel = async (): Promise<void> => {
    stop.abort();
    expect(await outcome).toBe('cancelled');
  };
  return { caller, cancel, isOver: () => isOver };
};

describe.each(['gen1', 'sse'] as const)('a 2025 server of users (%s)', (generation) => {
  it('asks the user whose connection it is, whatever others are doing', async () => {
    const { downstream } = await signedIn(generation);
    const { caller: others, cancel } = hang(downstream, bob);
    for (const question of QUESTIONS) {
      const caller = testCaller('ada');
      const options = { caller, principal: ada };
      expect(await callFeature(downstream, 'ask', question, options)).toEqual({ from: 'ada' });
      expect(caller.asked).toMatchObject([{ method: question.method }]);
    }
    const talkative = testCaller('ada', { logLevel: 'debug' });
    const options = { caller: talkative, principal: ada };
    await callFeature(downstream, 'log', { level: 'error' }, options);
    await eventually('the log message came', () => talkative.notified.length === 1);
    expect([others.asked, others.notified]).toEqual([[], []]);
    await cancel();
  });

  it('reports a change of a resource to the user whose connection it came over', async () => {
    const { downstream } = await signedIn(generation);
    const [hers, his] = await Promise.all([follow(downstream, ada), follow(downstream, bob)]);
    await touch(downstream, ada);
    await eventually('ada hears', () => hers.updates.length === 1);
    await touch(downstream, bob);
    await eventually('bob hears', () => his.updates.length === 1);
    expect(hers.updates).toHaveLength(1);
  });

  it('cancels the call of one user only', async () => {
    const { downstream } = await signedIn(generation);
    const [hers, his] = [hang(downstream, ada), hang(downstream, bob)];
    await hers.cancel();
    await callFeature(downstream, 'seen', {}, { principal: bob });
    expect(his.isOver()).toBe(false);
    await his.cancel();
  });
});

describe.each(['gen1', 'sse'] as const)('the event stream of a user (%s)', (generation) => {
  it('is not requested again and again after its token ended, and works after the next sign-in', async () => {
    const { features, credentials, downstream } = await signedIn(generation);
    const hers = await follow(downstream, ada);
    const before = features.received.length;
    credentials.onRejected = () => ({ ok: false, code: 'sign-in-again', reason: 'it has ended' });
    features.tokens.delete('ada-1');
    features.endStreams();
    await eventually('she must sign in again', () =>
      downstream
        .userServers(ada)
        .some(({ status }) => status === 'reauth_required' || status === 'auth_required'),
    );
    const refusedStreams = () =>
      features.received
        .slice(before)
        .filter(({ method, isAccepted }) => method === 'GET' && !isAccepted);
    features.tokens.add('ada-2');
    credentials.onRejected = undefined;
    credentials.signIn('features', ada, 'ada-2');
    await eventually('she hears again', async () => {
      await touch(downstream, ada);
      return hers.updates.length > 1;
    });
    expect(refusedStreams().length).toBeLessThanOrEqual(1);
  });

  it('continues with the renewed token', async () => {
    const { features, credentials, downstream, renewToken } = await signedIn(generation);
    const hers = await follow(downstream, ada);
    const before = features.received.length;
    renewToken();
    features.endStreams();
    await eventually('she hears again', async () => {
      await touch(downstream, ada);
      return hers.updates.length > 1;
    });
    const refused = features.received.slice(before).filter(({ isAccepted }) => !isAccepted);
    expect(refused.every(({ token }) => token === 'ada-1')).toBe(true);
    expect(credentials.rejections).toHaveLength(1);
  });
});

describe('a legacy SSE server of users', () => {
  it('receives the token of the user with each request, and no other one', async () => {
    const { features, downstream } = await signedIn('sse');
    await Promise.all([touch(downstream, ada), touch(downstream, bob)]);
    const used = new Set(features.received.map(({ token }) => token));
    expect(used).toEqual(new Set([undefined, 'ada-1', 'bob-1']));
  });

  it('has a refused request repeated once with a renewed token', async () => {
    const { features, credentials, downstream, renewToken } = await signedIn('sse');
    renewToken();
    expect(await touch(downstream, ada)).toMatchObject({ ok: true });
    expect(credentials.rejections).toHaveLength(1);
    expect(features.received.at(-1)).toMatchObject({ token: 'ada-2', isAccepted: true });
  });

  it('refuses a token that ended with the reason, to its user only', async () => {
    const { features, credentials, downstream } = await signedIn('sse');
    features.tokens.delete('ada-1');
    credentials.onRejected = () => ({ ok: false, code: 'sign-in-again', reason: 'it has ended' });
    const call = (principal: Principal) =>
      downstream.callTool({ server: 'features', tool: 'seen' }, { principal });
    const refused = failed('server.auth-required', { reason: 'it has ended' }, 'features');
    expect(await call(ada)).toEqual(refused);
    expect(await call(bob)).toMatchObject({ ok: true });
    expect(downstream.userServers(ada)).toMatchObject([{ status: 'reauth_required' }]);
    expect(downstream.userServers(bob)).toMatchObject([{ status: 'connected' }]);
  });
});
