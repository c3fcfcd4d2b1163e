import { expect, it } from 'vitest';
import { isMoreVerbose, isSevereEnough, ServerLogLevel } from '../src/requests/log-level.ts';

it.each([
  ['debug', 'debug', true],
  ['debug', 'info', false],
  ['emergency', 'alert', true],
  ['alert', 'emergency', false],
  ['notice', 'info', true],
  ['error', undefined, false],
  ['loud', 'debug', false],
  ['error', 'loud', false],
  ['constructor', 'debug', false],
])('a message of level %s passes the threshold %s: %s', (level, threshold, wanted) => {
  expect(isSevereEnough(level, threshold)).toBe(wanted);
});

it.each([
  ['debug', 'info', true],
  ['info', 'debug', false],
  ['info', 'info', false],
  ['emergency', undefined, true],
  [undefined, 'info', false],
  ['loud', undefined, false],
])('%s is more verbose than %s: %s', (level, than, more) => {
  expect(isMoreVerbose(level, than)).toBe(more);
});

it('delays calls only until the server has received their level', async () => {
  const told: string[] = [];
  let done = (): void => undefined;
  const level = new ServerLogLevel((next) => {
    told.push(next);
    return new Promise<void>((resolve) => {
      done = resolve;
    });
  });
  const first = level.raise('info');
  const second = level.raise('error');
  expect([first === second, told]).toEqual([true, ['info']]);
  done();
  await first;
  expect(level.raise('info')).toBeUndefined();
  expect(level.raise(undefined)).toBeUndefined();
});
