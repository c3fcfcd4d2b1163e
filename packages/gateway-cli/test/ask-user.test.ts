import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { createAsk } from '../src/cli-io.ts';

const terminal = () => {
  const input = new PassThrough();
  const output = new PassThrough();
  return { input, output, ask: createAsk({ input, output }) };
};

it('returns the line, and shows what a user writes', async () => {
  const { input, output, ask } = terminal();
  const answer = ask({ text: 'Town: ', isHidden: false });
  input.write('Berlin\r');
  expect(await answer).toBe('Berlin');
  output.end();
  expect(await text(output)).toMatch(/Town: .*n/su);
});

it('does not show a secret', async () => {
  const { input, output, ask } = terminal();
  const answer = ask({ text: 'Key: ', isHidden: true });
  input.write('very-secret\r');
  expect(await answer).toBe('very-secret');
  output.end();
  expect(await text(output)).toBe('Key: \n');
});

it.each(['\u0003', '\u0004'])('returns nothing when the input ends: %j', async (key) => {
  const { input, ask } = terminal();
  const answer = ask({ text: 'Key: ', isHidden: true });
  input.write(key);
  expect(await answer).toBeUndefined();
});
