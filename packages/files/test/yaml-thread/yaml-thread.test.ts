import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { parseYaml, YamlThread } from '../../src/index.ts';

const threads: YamlThread[] = [];
const opened = (start: () => Worker): YamlThread => {
  const thread = new YamlThread(start);
  threads.push(thread);
  return thread;
};
afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

const startFromSources = (): Worker => new Worker(new URL('thread.ts', import.meta.url));
const startProgram =
  (program: string, limitMb = 64) =>
  (): Worker =>
    new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: limitMb } });

describe('a text that is parsed in a thread', () => {
  it('has the value and the positions of the parser', async () => {
    const thread = opened(startFromSources);
    const text = 'a: [1, .nan, .inf, -0.0]\n__proto__: {x: 1}\nb: &x {k: y}\nc: *x\n';
    const parsed = parseYaml(text);
    expect(await thread.parse(text, [['b', 'k'], ['c']])).toEqual({
      ok: true,
      value: parsed.ok && parsed.value,
      positions: [
        { line: 3, column: 8 },
        { line: 4, column: 1 },
      ],
    });
  });
  it('has the problems of the parser', async () => {
    const thread = opened(startFromSources);
    expect(await thread.parse('a: 1\na: 2\n')).toEqual({
      ok: false,
      problems: [{ line: 2, column: 1, message: 'a key is repeated' }],
    });
  });
  it('does not block this thread', async () => {
    const thread = opened(startFromSources);
    await thread.parse('a: 1');
    const parsed = thread.parse('- {a: 1}\n'.repeat(5_000));
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    expect(await parsed).toMatchObject({ ok: true });
    clearInterval(count);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('a thread that fails', () => {
  it('refuses the text, and starts again for the next', async () => {
    const starts = [startProgram('throw new Error("no")'), startFromSources];
    const thread = opened(() => (starts.shift() ?? startFromSources)());
    expect(await thread.parse('a: 1')).toMatchObject({
      ok: false,
      problems: [{ message: 'cannot be parsed: the parser ran out of memory or could not start' }],
    });
    expect(await thread.parse('a: 1')).toMatchObject({ ok: true, value: { a: 1 } });
  });
  it('refuses a text that needs too much memory', async () => {
    const hungry = `require('node:worker_threads').parentPort.on('message', () => {
      const kept = [];
      for (;;) kept.push(new Array(100_000).fill(kept.length));
    })`;
    const thread = opened(startProgram(hungry, 16));
    expect(await thread.parse('a: 1')).toMatchObject({ ok: false });
  });
  it('refuses a text when it ends without an answer', async () => {
    const thread = opened(
      startProgram(
        `require('node:worker_threads').parentPort.once('message', () => process.exit())`,
      ),
    );
    expect(await thread.parse('a: 1')).toMatchObject({ ok: false });
    expect(await thread.parse('a: 1')).toMatchObject({ ok: false });
  });
});
