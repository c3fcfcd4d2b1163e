import { describe, expect, it } from 'vitest';
import { findDestinationChange, findSecretReference } from '../src/index.ts';

const TOKEN = { name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } };
const LOCAL = { type: 'stdio', command: 'serve', envFrom: [TOKEN] };
const REMOTE = { type: 'sse', url: 'https://mail.example', headersFrom: [TOKEN] };
const CREDENTIALS = { clientCredentialsSecretRef: { name: 'api' } };

describe('secretReferenceIn', () => {
  it.each([
    ['envFrom', LOCAL],
    ['headersFrom', REMOTE],
    ['tools[1].defaultsFrom', { tools: [{ name: 'a' }, { name: 'b', defaultsFrom: [TOKEN] }] }],
    ['auth.tokenExchange.clientCredentialsSecretRef', { auth: { tokenExchange: CREDENTIALS } }],
    [
      'auth.authorizationServer.clientCredentialsSecretRef',
      { auth: { authorizationServer: CREDENTIALS } },
    ],
    ['envFrom', { envFrom: 'not a list' }],
  ])('names %s', (field, spec) => {
    expect(findSecretReference(spec)).toBe(field);
  });

  it.each([
    { type: 'stdio', command: 'serve' },
    { envFrom: null, headersFrom: undefined, auth: { tokenExchange: null } },
    { auth: 'oauth' },
    'text',
    null,
    undefined,
  ])('finds none in %j', (spec) => {
    expect(findSecretReference(spec)).toBeUndefined();
  });
});

describe('changedDestination', () => {
  it.each([
    ['command', LOCAL, { ...LOCAL, command: 'curl' }],
    ['args', LOCAL, { ...LOCAL, args: ['-d', '@/proc/self/environ'] }],
    ['env', LOCAL, { ...LOCAL, env: { PATH: '/tmp' } }],
    ['url', REMOTE, { ...REMOTE, url: 'https://evil.example' }],
    ['envFrom', { type: 'stdio', command: 'serve' }, LOCAL],
    // A definition that is not valid, and a field of a newer version.
    ['url', { headersFrom: 'x' }, { headersFrom: 'x', url: 'https://evil.example' }],
    ['proxy', REMOTE, { ...REMOTE, proxy: 'https://evil.example' }],
    ['__proto__', REMOTE, { ...REMOTE, ['__proto__']: 1 }],
  ])('names %s', (field, before, after) => {
    expect(findDestinationChange(before, after)).toBe(field);
  });

  it('compares lists and maps by their contents', () => {
    const before = { ...LOCAL, args: ['-a', '1'], env: { A: '1', B: '2' } };
    const equal = { ...before, args: ['-a', '1'], env: { B: '2', A: '1' } };
    expect(findDestinationChange(before, equal)).toBeUndefined();
    for (const args of [['-a'], ['1', '-a'], { 0: '-a', 1: '1' }, null])
      expect(findDestinationChange(before, { ...before, args })).toBe('args');
    expect(findDestinationChange(before, { ...before, env: { A: '1', C: '2' } })).toBe('env');
  });

  it('permits the other fields, and fields that stay equal', () => {
    const others = { autoStart: false, description: 'Mail', timeout: 9, toolPrefix: 'mail' };
    const after = { ...structuredClone(REMOTE), ...others, startTimeout: 3, family: { name: 'm' } };
    expect(findDestinationChange(REMOTE, after)).toBeUndefined();
  });

  it('permits each change that keeps no reference, and each of values that the change contains', () => {
    expect(findDestinationChange(LOCAL, { type: 'stdio', command: 'curl' })).toBeUndefined();
    const plain = { type: 'stdio', command: 'curl', env: { TOKEN: 'given' } };
    const after = { ...LOCAL, command: 'curl' };
    expect(findDestinationChange(LOCAL, after, plain)).toBeUndefined();
    const kept = { ...plain, envFrom: [{ ...TOKEN, name: 'OTHER' }] };
    expect(findDestinationChange(LOCAL, after, kept)).toBe('command');
  });

  it('permits each change of a definition that names no Secret or ConfigMap', () => {
    expect(findDestinationChange({ url: 'https://a.example' }, { command: 'x' })).toBeUndefined();
    expect(findDestinationChange(undefined, { command: 'x' })).toBeUndefined();
  });
});
