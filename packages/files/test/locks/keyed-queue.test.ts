import { expect, it } from 'vitest';
import { KeyedQueue } from '../../src/file-lock.ts';

/** A task that logs its start and ends on request. */
const task = (log: string[], name: string) => {
  let end: (error?: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = (error) => {
      if (error === undefined) resolve(name);
      else reject(error);
    };
  });
  const run = (): Promise<string> => {
    log.push(name);
    return ended;
  };
  return { run, end };
};

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('runs one task of a key at a time, in order, and other keys concurrently', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const [first, second, other] = [task(log, 'a1'), task(log, 'a2'), task(log, 'b1')];
  const results = [
    queue.run('a', first.run),
    queue.run('a', second.run),
    queue.run('b', other.run),
  ];
  await turn();
  expect(log).toEqual(['a1', 'b1']);
  first.end();
  await turn();
  expect(log).toEqual(['a1', 'b1', 'a2']);
  second.end();
  other.end();
  expect(await Promise.all(results)).toEqual(['a1', 'a2', 'b1']);
});

it('continues after a task that fails', async () => {
  const queue = new KeyedQueue();
  const log: string[] = [];
  const [first, second] = [task(log, 'a1'), task(log, 'a2')];
  const failing = queue.run('__proto__', first.run);
  const following = queue.run('__proto__', second.run);
  first.end(new Error('broken'));
  second.end();
  await expect(failing).rejects.toThrow('broken');
  expect(await following).toBe('a2');
});

it('is idle when every task is done, including tasks added meanwhile', async () => {
  const queue = new KeyedQueue();
  await queue.idle();
  const log: string[] = [];
  const [first, second] = [task(log, 'a1'), task(log, 'b1')];
  void queue.run('a', first.run);
  let isIdle = false;
  const idle = queue.idle().then(() => {
    isIdle = true;
  });
  void queue.run('b', second.run);
  first.end();
  await turn();
  expect(isIdle).toBe(false);
  second.end();
  await idle;
});
