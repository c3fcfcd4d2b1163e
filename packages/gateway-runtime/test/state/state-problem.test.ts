import { randomBytes } from 'node:crypto';
import { parseConfig } from '@gateway/gateway-config';
import { expect, it } from 'vitest';
import { validateStateStore } from '../../src/index.ts';

const findProblem = (state: object, environment: Record<string, string> = {}) => {
  const parsed = parseConfig({ state }, {});
  if (!parsed.ok) throw new Error('not a configuration');
  return validateStateStore(parsed.config.state, { directory: '/nowhere', environment });
};

it('finds nothing wrong with a store that returns what was written', async () => {
  expect(await findProblem({ store: 'memory' })).toBeUndefined();
});

it('names a missing key, and a server that does not answer', async () => {
  const state = { store: 'redis', url: 'redis://127.0.0.1:9/0' };
  expect(await findProblem(state)).toContain('there is no key that encrypts the state');
  const key = randomBytes(32).toString('base64');
  const problem = await findProblem(state, { GATEWAY_STATE_KEY: key });
  expect(problem).toContain('The state store is not available');
  expect(problem).not.toContain(key);
});
