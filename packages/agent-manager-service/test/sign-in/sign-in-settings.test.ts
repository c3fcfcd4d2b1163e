import { createTestConfigDirectory } from '@gateway/repo-checks';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSignInSettings } from '../../src/sign-in/open-sign-in.ts';

const problemOf = async (text: string): Promise<string> => {
  const directory = createTestConfigDirectory();
  onTestFinished(() => directory.remove());
  directory.write('oauth.yaml', text);
  const path = join(directory.path, 'oauth.yaml');
  const read = await readSignInSettings({ kind: 'file', path });
  return read.ok ? 'it was read' : read.problem.replace(path, 'oauth.yaml');
};

it('reads issuers from a file', async () => {
  expect(await problemOf('issuers: [{ issuer: https://login.example.com }]')).toBe('it was read');
});

it.each([
  ['issuers: [', '--oauth-config oauth.yaml: it is not valid YAML'],
  [
    'issuers: []',
    '--oauth-config oauth.yaml: issuers must have at least one issuer for mode resource-server',
  ],
  ['', '--oauth-config oauth.yaml: must be a mapping'],
  [
    'mode: none\nissuers: [{ issuer: https://login.example.com }]',
    '--oauth-config oauth.yaml: mode must be resource-server',
  ],
  [
    'issuers: [{ issuer: ftp://x }]',
    '--oauth-config oauth.yaml: issuers.0.issuer must be a URL with https or http',
  ],
])('refuses %j', async (text, problem) => {
  expect(await problemOf(text)).toBe(problem);
});

it('refuses a file that does not exist', async () => {
  expect(await readSignInSettings({ kind: 'file', path: '/nowhere/oauth.yaml' })).toEqual({
    ok: false,
    problem: '--oauth-config /nowhere/oauth.yaml: it cannot be read (ENOENT)',
  });
});

it('accepts every valid token of one issuer', async () => {
  const read = await readSignInSettings({
    kind: 'issuer',
    issuer: 'https://login.example.com',
    audiences: ['agents'],
  });
  expect(read).toMatchObject({
    ok: true,
    settings: { mode: 'resource-server', issuers: [{ audiences: ['agents'], scopes: [] }] },
  });
});
