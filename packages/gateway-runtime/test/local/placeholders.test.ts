import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseMcpServer, type McpServer } from '@gateway/crd-schemas';
import { createFileReferences, createFollowedFiles } from '@gateway/downstream-auth';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReferencedServers } from '../../src/local/referenced-servers.ts';

const CANARY = 'canary-7d1f';

let directory: string;
let lines: string[];
let applied: (readonly McpServer[])[];
let servers: ReferencedServers;

const put = (file: string, text: string, mode = 0o600): void => {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};

const serverOf = (spec: object): McpServer => {
  const parsed = parseMcpServer(
    {
      apiVersion: 'gateway.internal/v1alpha1',
      kind: 'MCPServer',
      metadata: { name: 'crm' },
      spec,
    },
    { hasPlaceholders: true },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

const stdio = (spec: object): McpServer => serverOf({ type: 'stdio', command: 'run', ...spec });
const remote = (spec: object): McpServer => serverOf({ type: 'streamable-http', ...spec });

const last = () => applied.at(-1)?.map(({ referenced }) => referenced);

const apply = async (...desired: readonly McpServer[]) => {
  servers.apply(desired);
  await servers.settled();
  return last();
};

const open = (isFileMode: boolean): void => {
  servers = new ReferencedServers({
    texts: createFileReferences({ directory }),
    ...(isFileMode && {
      placeholders: {
        files: createFollowedFiles({ directory }),
        environment: {
          TOKEN: CANARY,
          HOST: 'crm.example',
          TENANT: 'TenantA42.Example',
          EMPTY: '',
          SPACE: 'a b',
        },
      },
    }),
    apply: (now) => applied.push(now),
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
  });
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'placeholders-'));
  lines = [];
  applied = [];
  open(true);
});

afterEach(() => {
  servers.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('placeholders in files', () => {
  it('have values in variables and arguments', async () => {
    put('secrets/crm/key', `${CANARY}-2\n`);
    put('region.txt', 'eu\r\n', 0o644);
    const server = stdio({
      args: ['--key=${file:secrets/crm/key}', '--all', '${env:EMPTY}'],
      env: { TOKEN: 'x-${env:TOKEN}', REGION: '${file:./region.txt}', PLAIN: 'p', E: '$${env:A}' },
    });
    expect(await apply(server)).toEqual([
      {
        values: { TOKEN: `x-${CANARY}`, REGION: 'eu', E: '${env:A}' },
        args: [`--key=${CANARY}-2`, '--all', ''],
        parts: [`${CANARY}-2`, ''],
      },
    ]);
    expect(applied.at(-1)?.[0]?.spec).toEqual(server.spec);
    expect(lines).toEqual([]);
  });

  it('have values in headers and the URL', async () => {
    put('secrets/crm/key', CANARY);
    const server = remote({
      url: 'https://${env:HOST}/mcp?key=${file:secrets/crm/key}&s=${env:SPACE}',
      headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'blue' },
    });
    expect(await apply(server)).toEqual([
      {
        problem:
          'spec.url: with the values of its placeholders, it must be an http:// or https:// URL',
      },
    ]);
    const good = remote({
      url: 'https://${env:HOST}/mcp?key=${file:secrets/crm/key}',
      headers: { Authorization: 'Bearer ${env:TOKEN}', 'X-Team': 'blue' },
    });
    expect(await apply(good)).toEqual([
      {
        values: { Authorization: `Bearer ${CANARY}` },
        url: `https://crm.example/mcp?key=${CANARY}`,
        parts: ['crm.example', CANARY, `?key=${CANARY}`],
      },
    ]);
  });

  it('are hidden in the spelling of the URL parser too', async () => {
    const [tenant] = (await apply(remote({ url: 'https://${env:TENANT}/mcp' }))) ?? [];
    expect(tenant?.parts).toEqual(['TenantA42.Example', 'tenanta42.example']);
  });

  it('join the values of references', async () => {
    put('secrets/crm/key', CANARY);
    const envFrom = [{ name: 'KEY', secretKeyRef: { name: 'crm', key: 'key' } }];
    expect(await apply(stdio({ env: { HOST: '${env:HOST}' }, envFrom }))).toEqual([
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
    put('secrets/crm/open', CANARY, 0o644);
    put('big', CANARY.repeat(10_000));
    expect(await apply(stdio({ env: { A: text, B: '${env:TOKEN}' } }))).toEqual([{ problem }]);
    expect(lines.join('')).toContain(problem);
    expect(lines.join('')).not.toContain(CANARY);
  });

  it('cannot inject a header, and cannot decide where tokens are sent', async () => {
    put('two-lines', `${CANARY}\nX-Admin: 1`);
    const url = 'https://a.example/mcp';
    expect(await apply(remote({ url, headers: { A: '${file:two-lines}' } }))).toEqual([
      {
        problem:
          'spec.headers.A: with the values of its placeholders, it must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
      },
    ]);
    const auth = { type: 'oauth' };
    expect(await apply(remote({ url: 'https://${env:HOST}/mcp', auth }))).toEqual([
      {
        problem:
          'spec.url: placeholders are not possible with spec.auth, because the URL decides where tokens of users are sent',
      },
    ]);
  });

  it('have the new value of a file, and the last one when it disappears', async () => {
    put('token', 'one');
    const server = stdio({ args: ['${file:token}'] });
    expect(await apply(server)).toEqual([{ values: {}, args: ['one'], parts: ['one'] }]);
    put('token', 'two');
    await vi.waitFor(
      () => expect(last()).toEqual([{ values: {}, args: ['two'], parts: ['two'] }]),
      60_000,
    );
    rmSync(join(directory, 'token'));
    const problem = 'spec.args[0]: the file token does not exist: create it with mode 0600';
    await vi.waitFor(
      () => expect(last()).toEqual([{ values: {}, args: ['two'], parts: ['two'], problem }]),
      60_000,
    );
  });

  it('with a misspelt prefix are sent as they are, with one warning', async () => {
    await apply(stdio({ args: ['${evn:TOKEN}'] }));
    await apply(stdio({ args: ['${evn:TOKEN}'] }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('spec.args[0]: ${evn:…} is sent as it is written');
  });

  it('of other programs are sent as they are, with one warning', async () => {
    const server = stdio({ env: { A: '${TOKEN}' } });
    expect(await apply(server)).toEqual([undefined]);
    await apply(server, stdio({}));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(
      'spec.env.A: ${TOKEN} is sent as it is written; write ${env:TOKEN} for the value of the variable, or $${TOKEN} for this text',
    );
  });
});

it('in a cluster are texts', async () => {
  servers.close();
  open(false);
  const server = stdio({
    env: { A: '${env:TOKEN} ${TOKEN} $${x}' },
    args: ['${file:/etc/passwd}'],
  });
  expect(await apply(server)).toEqual([undefined]);
  expect(lines).toEqual([]);
});
