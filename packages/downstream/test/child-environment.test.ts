import { expect, it } from 'vitest';
import { createChildEnvironment } from '../src/wire/stdio/process-group.ts';

const readOwnValue = { PATH: '/bin', HOME: '/root', AWS_SECRET: 'x', SYSTEMROOT: 'C:\\Windows' };

it("takes a short list of the gateway's variables, by platform", () => {
  const linux = { PATH: '/bin', HOME: '/root' };
  expect(createChildEnvironment(readOwnValue, {}, 'linux')).toEqual(linux);
  const windows = { PATH: '/bin', SYSTEMROOT: 'C:\\Windows' };
  expect(createChildEnvironment(readOwnValue, {}, 'win32')).toEqual(windows);
});

it('lets spec.env win, whatever its names', () => {
  const specEnv = JSON.parse('{"PATH":"/own","__proto__":"p"}') as Record<string, string>;
  const environment = createChildEnvironment(readOwnValue, specEnv, 'linux');
  expect(Object.entries(environment)).toEqual([
    ['PATH', '/own'],
    ['HOME', '/root'],
    ['__proto__', 'p'],
  ]);
});
