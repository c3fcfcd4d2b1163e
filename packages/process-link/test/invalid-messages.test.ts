import { fork } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { connectLink, createChannel, portToChild, serveLink } from '../src/index.ts';
import { codeOf } from './harness/echo-process.ts';
import { memoryPorts } from './harness/memory-ports.ts';

const ONE_CALL = '[[1]]';

const served = () => {
  const ports = memoryPorts();
  const errors: unknown[] = [];
  let subscriptions = 0;
  const implementation = {
    echo: (value: unknown) => Promise.resolve(value),
    note: () => undefined,
    follow: () => {
      subscriptions += 1;
      return () => (subscriptions -= 1);
    },
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an implementation may reject with any value
    withoutText: () => Promise.reject(Object.create(null)),
    withObject: () => Promise.reject(Object.assign(new Error(), { message: { a: 1 } })),
  };
  serveLink(ports.server, implementation, { onError: (error) => errors.push(error) });
  const remote = connectLink<Pick<typeof implementation, 'echo' | 'withoutText' | 'withObject'>>(
    ports.client,
    {},
  );
  return { ports, errors, remote, subscriptions: () => subscriptions };
};

describe('arguments in an invalid form', () => {
  it.each([
    '[[],[],[[null,"__proto__","polluted"]]]',
    '[{},[],[[null,"__proto__","polluted"]]]',
    '[[{}],[],[[null,0,"__proto__"]],[["__proto__","polluted"]]]',
    '[[],[4294967294]]',
    '[5]',
    'null',
    '{',
    `[[${'1,'.repeat(2000)}1]]`,
  ])('change nothing outside the call: %.50s', async (json) => {
    const { ports, errors } = served();
    const before = [Array.prototype, Object.prototype].map(Reflect.ownKeys);
    ports.deliver(['call', 1, 'echo', 0, json, 'text']);
    ports.deliver(['send', 0, 'note', 0, json, 'text']);
    await new Promise((resolve) => setImmediate(resolve));
    expect([Array.prototype, Object.prototype].map(Reflect.ownKeys)).toEqual(before);
    expect(ports.toClient).toEqual([['fail', 1, 'failed', expect.any(String)]]);
    expect(errors).toEqual([]);
  });
});

describe('a result in an invalid form', () => {
  it.each(['[5]', 'null', '{', '[[],[0]]'])('fails its call: %s', async (json) => {
    const { ports, remote } = served();
    const code = codeOf(remote.echo(1));
    ports.toServer.splice(0);
    ports.toClient.push(['done', 1, json, 'text']);
    await ports.settle();
    expect(await code).toBe('invalid-value');
  });
});

it('fails a subscription to a request, also when the request fails', async () => {
  const { ports } = served();
  ports.deliver(['open', 1, 'withObject', 0, ONE_CALL]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ports.toClient).toEqual([['fail', 1, 'failed', 'a subscription returns no function']]);
});

it('reports an error without a text as a failure', async () => {
  const { ports, remote } = served();
  const codes = [remote.withoutText(), remote.withObject()].map(codeOf);
  await ports.settle();
  expect(await Promise.all(codes)).toEqual(['failed', 'failed']);
});

describe('a closed channel', () => {
  it('runs nothing for messages that arrive late', () => {
    const { ports, subscriptions } = served();
    ports.deliver(['open', 1, 'follow', 0, ONE_CALL]);
    expect(subscriptions()).toBe(1);
    ports.close();
    expect(subscriptions()).toBe(0);
    ports.deliver(['open', 2, 'follow', 0, ONE_CALL]);
    expect(subscriptions()).toBe(0);
  });

  it('rejects the calls of a link that is opened later', async () => {
    const ports = memoryPorts();
    const channel = createChannel<'a'>(ports.client);
    ports.close();
    const remote = connectLink<{ echo(): Promise<void> }>(channel.port('a'), {});
    expect(await codeOf(remote.echo())).toBe('closed');
  });

  it('rejects the calls to a process that has ended before', async () => {
    const child = fork('', { execArgv: ['--eval', ''], stdio: ['ignore', 1, 2, 'ipc'] });
    await once(child, 'exit');
    const remote = connectLink<{ echo(): Promise<void> }>(portToChild(child), {});
    expect(await codeOf(remote.echo())).toBe('closed');
  });
});
