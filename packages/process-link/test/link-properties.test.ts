import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectLink, serveLink } from '../src/index.ts';
import { ECHO_MEMBERS, type EchoContract } from './fixtures/echo-contract.ts';
import { createEchoService } from './fixtures/echo-service.ts';
import { codeOf } from './harness/echo-process.ts';
import { memoryPorts } from './harness/memory-ports.ts';

const linked = () => {
  const ports = memoryPorts();
  serveLink(ports.server, createEchoService(), { onError: () => undefined });
  return { ports, remote: connectLink<EchoContract>(ports.client, ECHO_MEMBERS) };
};

describe('any sequence of calls', () => {
  it('returns each result to its call when answers are reordered and repeated', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { minLength: 1, maxLength: 20 }),
        fc.infiniteStream(fc.nat()),
        async (values, numbers) => {
          const { ports, remote } = linked();
          const results = values.map((value) => remote.echo(value));
          for (const message of ports.toServer.splice(0)) ports.deliver(message);
          await new Promise((resolve) => setImmediate(resolve));
          const answers = ports.toClient.splice(0);
          const keys = new Map(answers.map((answer) => [answer, numbers.next().value ?? 0]));
          const reordered = answers.toSorted((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0));
          ports.toClient.push(...reordered, ...answers.slice(0, 3));
          await ports.settle();
          expect(JSON.stringify(await Promise.all(results))).toBe(JSON.stringify(values));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('settles once when a call is cancelled at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('call', 'abort', 'deliver', 'turn'), { maxLength: 30 }),
        async (steps) => {
          const { ports, remote } = linked();
          const calls: { controller: AbortController; code: Promise<unknown> }[] = [];
          let aborted = 0;
          for (const step of steps) {
            if (step === 'call') {
              const controller = new AbortController();
              const code = codeOf(remote.hang({ signal: controller.signal }));
              calls.push({ controller, code });
            } else if (step === 'abort') calls[aborted++]?.controller.abort(new Error('stop'));
            else if (step === 'deliver') await ports.settle();
            else await Promise.resolve();
          }
          for (const { controller } of calls) controller.abort(new Error('stop'));
          await ports.settle();
          for (const { code } of calls) expect(await code).toBe('cancelled');
          const cancellations = remote.cancellations();
          await ports.settle();
          expect(await cancellations).toEqual(calls.map(() => 'stop'));
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('messages of an unknown shape', () => {
  const kind = fc.constantFrom('call', 'open', 'send', 'stop', 'done', 'fail', 'echo');
  const part = fc.oneof(kind, fc.integer(), fc.string(), fc.jsonValue(), fc.constant('[[1]]'));
  const message = fc.oneof(
    fc.anything(),
    fc.array(part, { maxLength: 6 }).filter(([, id]) => id !== 1),
    fc.tuple(kind, fc.integer({ min: 100, max: 103 }), part, part, part),
  );

  it('do not end the link', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (messages) => {
        const { ports, remote } = linked();
        const result = remote.later('mine', 1);
        for (const each of messages) ports.deliver(each);
        const pending = ports.settle();
        await new Promise((resolve) => setTimeout(resolve, 3));
        await pending;
        await ports.settle();
        expect(await result).toBe('mine');
      }),
      { numRuns: 100 },
    );
  });

  it('are ignored by the caller too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.anything(), { maxLength: 20 }), async (messages) => {
        const { ports, remote } = linked();
        const result = remote.echo('mine');
        ports.toClient.push(...messages);
        await ports.settle();
        expect(await result).toBe('mine');
      }),
      { numRuns: 100 },
    );
  });
});
