import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createChannel } from '../src/index.ts';
import { memoryPorts } from './harness/memory-ports.ts';

const channels = () => {
  const ports = memoryPorts();
  return {
    ports,
    client: createChannel<'a' | 'b' | 'c'>(ports.client),
    server: createChannel<'a' | 'b' | 'c'>(ports.server),
  };
};

describe('a channel', () => {
  it('delivers each message to the receiver of its topic, in order', async () => {
    const { ports, client, server } = channels();
    const seen: unknown[] = [];
    for (const topic of ['a', 'b'] as const)
      server.port(topic).onMessage((message) => seen.push([topic, message]));
    let sent = 0;
    client.port('a').send({ a: 1 }, () => (sent += 1));
    client.port('b').send({ b: 2 }, () => (sent += 1));
    client.port('c').send({ without: 'receiver' }, () => (sent += 1));
    expect(sent).toBe(0);
    await turn();
    expect(sent).toBe(3);
    await ports.settle();
    expect(seen).toEqual([
      ['a', { a: 1 }],
      ['b', { b: 2 }],
    ]);
  });

  it('sends the small messages of one turn together, and large ones at once', async () => {
    const { ports, client } = channels();
    const port = client.port('a');
    for (let count = 0; count < 10; count += 1) port.send(count, () => undefined, 10);
    expect(ports.toServer).toHaveLength(0);
    port.send('large', () => undefined, 100_000);
    expect(ports.toServer).toHaveLength(1);
    port.send('small', () => undefined, 10);
    await turn();
    expect(ports.toServer).toHaveLength(2);
  });

  it('reports its end once, and sends nothing afterwards', async () => {
    const { ports, client, server } = channels();
    const seen: unknown[] = [];
    server.port('a').onMessage((message) => seen.push(message));
    client.port('a').onClose(() => seen.push('closed'));
    ports.close();
    ports.close();
    let sent = 0;
    client.port('a').send({ late: true }, () => (sent += 1));
    await turn();
    await ports.settle();
    expect(seen).toEqual(['closed']);
    expect(sent).toBe(1);
  });
});
