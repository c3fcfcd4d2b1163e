import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@gateway/crd-schemas';
import { describe, expect, it, vi } from 'vitest';
import { serverOf, useReferenced } from './referenced-scene.ts';

const CANARY = 'canary-7d1f';

const scene = useReferenced({
  TOKEN: CANARY,
  HOST: 'crm.example',
  TENANT: 'TenantA42.Example',
  EMPTY: '',
  SPACE: 'a b',
});

const stdio = (spec: object): McpServer => serverOf({ type: 'stdio', command: 'run', ...spec });
const remote = (spec: object): McpServer => serverOf({ type: 'streamable-http', ...spec });

describe('placeholders in files', () => {
  it('have values in variables and arguments', async () => {
    scene.put('secrets/crm/key', `${CANARY}-2\n`);
    scene.put('region.txt', 'eu\r\n', 0o644);
    const server = stdio({
      args: ['--key=${file:secrets/crm/key}', '--all', '${env:EMPTY}'],
      env: { TOKEN: 'x-${env:TOKEN}', REGION: '${file:./region.txt}', PLAIN: 'p', E: '$${env:A}' },
    });
    expect(await scene.apply(server)).toEqual([
      {
        values: { TOKEN: `x-${CANARY}`, REGION: 'eu', E: '${env:A}' },
        args: [`--key=${CANARY}-2`, '--all', ''],
        parts: [`${CANARY}-2`, ''],
      },
    ]);
    expect(scene.applied.at(-1)?.[0]?.spec).toEqual(server.spec);
    expect(scene.lines).toEqual([]);
  });

  it('have values in headers and the URL', async () => {
    scene.put('secrets/crm/key', CANARY);
    const server = remote({
      url: 'https://${env:HOST}/mcp?key=${file:secrets/crm/key}&s=${env:SPACE}',
      headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'blue' },
    });
    expect(await scene.apply(server)).toEqual([
      {
        problem:
          'spec.url: with the values of its placeholders, it must be an http:// or https:// URL',
      },
    ]);
    const good = remote({
      url: 'https://${env:HOST}/mcp?key=${file:secrets/crm/key}',
      headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'blue' },
    });
    expect(await scene.apply(good)).toEqual([
      {
        values: { Authorization: `Bearer ${CANARY}` },
        url: `https://crm.example/mcp?key=${CANARY}`,
        parts: ['crm.example', CANARY, `?key=${CANARY}`],
      },
    ]);
  });

  it('are hidden in the spelling of the URL parser too', async () => {
    const [tenant] = (await scene.apply(remote({ url: 'https://${env:TENANT}/mcp' }))) ?? [];
    expect(tenant?.parts).toEqual(['TenantA42.Example', 'tenanta42.example']);
  });

  it('join the values of references', async () => {
    scene.put('secrets/crm/key', CANARY);
    const envFrom = [{ name: 'KEY', secretKeyRef: { name: 'crm', key: 'key' } }];
    expect(await scene.apply(stdio({ env: { HOST: '${env:HOST}' }, envFrom }))).toEqual([
      { values: { KEY: CANARY, HOST: 'crm.example' } },
    ]);
  });

  it.each([
    ['${env:ABSENT}', 'spec.env.A: the environment variable ABSENT is not set'],
    ['${env:constructor}', 'spec.env.A: the environment variable constructor is not set'],
    [
      '${file:secrets/crm/none}',
      'spec.env.A: the file secrets/crm/none does not exist: create it with mode 0600',
    ],
    [
      '${file:secrets/crm/open}',
      'spec.env.A: the file secrets/crm/open has mode 0644: set it to 0600',
    ],
    ['${file:big}', 'spec.env.A: the file big has more than 65536 bytes'],
    ['${file:secrets}', 'spec.env.A: secrets is not a regular file'],
    ['${env:HOST}'.repeat(65), 'the definition has 66 placeholders, more than the 64 allowed'],
  ])('without a value are a problem of the server: %s', async (text, problem) => {
    scene.put('secrets/crm/open', CANARY, 0o644);
    scene.put('big', CANARY.repeat(10_000));
    expect(await scene.apply(stdio({ env: { A: text, B: '${env:TOKEN}' } }))).toEqual([
      { problem },
    ]);
    expect(scene.lines.join('')).toContain(problem);
    expect(scene.lines.join('')).not.toContain(CANARY);
  });

  it('cannot inject a header, and cannot decide where tokens are sent', async () => {
    scene.put('two-lines', `${CANARY}\nX-Admin: 1`);
    const url = 'https://a.example/mcp';
    expect(await scene.apply(remote({ url, headers: { A: '${file:two-lines}' } }))).toEqual([
      {
        problem:
          'spec.headers.A: with the values of its placeholders, it must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
      },
    ]);
    const auth = { type: 'oauth' };
    expect(await scene.apply(remote({ url: 'https://${env:HOST}/mcp', auth }))).toEqual([
      {
        problem:
          'spec.url: placeholders are not possible with spec.auth, because the URL decides where tokens of users are sent',
      },
    ]);
  });

  it('have the new value of a file, and the last one when it disappears', async () => {
    scene.put('token', 'one');
    const server = stdio({ args: ['${file:token}'] });
    expect(await scene.apply(server)).toEqual([{ values: {}, args: ['one'], parts: ['one'] }]);
    scene.put('token', 'two');
    await vi.waitFor(
      () => expect(scene.last()).toEqual([{ values: {}, args: ['two'], parts: ['two'] }]),
      60_000,
    );
    rmSync(join(scene.directory, 'token'));
    const problem = 'spec.args[0]: the file token does not exist: create it with mode 0600';
    await vi.waitFor(
      () => expect(scene.last()).toEqual([{ values: {}, args: ['two'], parts: ['two'], problem }]),
      60_000,
    );
  });

  it('with a misspelt prefix are sent as they are, with one warning', async () => {
    await scene.apply(stdio({ args: ['${evn:TOKEN}'] }));
    await scene.apply(stdio({ args: ['${evn:TOKEN}'] }));
    expect(scene.lines).toHaveLength(1);
    expect(scene.lines[0]).toContain('spec.args[0]: ${evn:…} is sent as it is written');
  });

  it('of other programs are sent as they are, with one warning', async () => {
    const server = stdio({ env: { A: '${TOKEN}' } });
    expect(await scene.apply(server)).toEqual([undefined]);
    await scene.apply(server, stdio({}));
    expect(scene.lines).toHaveLength(1);
    expect(scene.lines[0]).toContain(
      'spec.env.A: ${TOKEN} is sent as it is written; write ${env:TOKEN} for the value of the variable, or $${TOKEN} for this text',
    );
  });
});

it('in a cluster are texts', async () => {
  scene.servers.close();
  scene.open();
  const server = stdio({
    env: { A: '${env:TOKEN} ${TOKEN} $${x}' },
    args: ['${file:/etc/passwd}'],
  });
  expect(await scene.apply(server)).toEqual([undefined]);
  expect(scene.lines).toEqual([]);
});
