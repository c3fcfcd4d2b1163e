import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseMcpServer, type McpServer } from '@gateway/crd-schemas';
import { createFileReferences } from '@gateway/downstream-auth';
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
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
};

const serverOf = (spec: object): McpServer => {
  const parsed = parseMcpServer({
    apiVersion: 'gateway.internal/v1alpha1',
    kind: 'MCPServer',
    metadata: { name: 'crm' },
    spec,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};

const stdio = (...envFrom: readonly object[]): McpServer =>
  serverOf({ type: 'stdio', command: 'run', envFrom });

const TOKEN = { name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } };
const REGION = { name: 'REGION', configMapKeyRef: { name: 'place', key: 'region' } };

const last = () => applied.at(-1)?.map(({ referenced }) => referenced);

const apply = async (...desired: readonly McpServer[]) => {
  servers.apply(desired);
  await servers.settled();
  return last();
};

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'references-'));
  lines = [];
  applied = [];
  servers = new ReferencedServers({
    texts: createFileReferences({ directory }),
    apply: (now) => applied.push(now),
    logger: pino({}, { write: (line: string) => void lines.push(line) }),
  });
});

afterEach(() => {
  servers.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('servers with references', () => {
  it('have the values of files, of which those of Secrets are private', async () => {
    put('secrets/api/token', `${CANARY}\n`);
    put('configMaps/place/region', 'eu', 0o644);
    expect(await apply(stdio(TOKEN, REGION))).toEqual([
      { values: { TOKEN: CANARY, REGION: 'eu' } },
    ]);
    expect(lines).toEqual([]);
  });

  it('without references are applied at once; a new definition replaces the last one when its values were read', async () => {
    put('secrets/api/token', CANARY);
    const plain = serverOf({ type: 'stdio', command: 'run' });
    servers.apply([plain]);
    expect(applied).toEqual([[plain]]);
    servers.apply([stdio(TOKEN)]);
    expect(applied).toEqual([[plain]]);
    await servers.settled();
    expect(last()).toEqual([{ values: { TOKEN: CANARY } }]);
  });

  it('are not applied and have no problem when they are closed before the values were read', async () => {
    put('secrets/api/token', CANARY);
    servers.apply([stdio(TOKEN)]);
    servers.close();
    await servers.settled();
    expect(applied.flat()).toEqual([]);
    expect(lines).toEqual([]);
  });

  it.each([
    ['is absent', () => undefined, 'does not exist: create it with mode 0600'],
    [
      'can be read by others',
      () => put('secrets/api/token', CANARY, 0o644),
      'has mode 0644: set it to 0600',
    ],
    [
      'has too many characters',
      () => put('secrets/api/token', 'x'.repeat(65_537)),
      'has more than 65536 bytes',
    ],
    [
      'is outside of the directory of its Secret',
      () => {
        put('other', CANARY);
        mkdirSync(join(directory, 'secrets/api'), { recursive: true });
        symlinkSync('../../other', join(directory, 'secrets/api/token'));
      },
      'is a link that leaves the directory of its Secret: replace it with a regular file',
    ],
  ])('have a problem without the value when the file %s', async (_what, prepare, text) => {
    prepare();
    const problem = `spec.envFrom[0]: the file secrets/api/token ${text}`;
    expect(await apply(stdio(TOKEN))).toEqual([{ problem }]);
    expect(lines.join('')).toContain(problem);
    expect(lines.join('')).not.toContain(CANARY);
  });

  it('are refused values that inject a header', async () => {
    put('secrets/api/token', `${CANARY}\r\nX-Admin: 1`);
    const url = 'http://127.0.0.1:9/mcp';
    const server = serverOf({ type: 'streamable-http', url, headersFrom: [TOKEN] });
    expect(await apply(server)).toEqual([
      {
        problem:
          'spec.headersFrom[0]: the key "token" of Secret api must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
      },
    ]);
    expect(await apply(stdio(TOKEN))).toEqual([{ values: { TOKEN: `${CANARY}\r\nX-Admin: 1` } }]);
  });

  it('start without an optional value, and have it when it exists', async () => {
    const optional = { ...TOKEN, secretKeyRef: { ...TOKEN.secretKeyRef, optional: true } };
    expect(await apply(stdio(optional))).toEqual([{ values: {} }]);
    put('secrets/api/token', CANARY);
    await vi.waitFor(() => expect(last()).toEqual([{ values: { TOKEN: CANARY } }]), 60_000);
  });

  it('are applied again when a value changes, and not when it is written again', async () => {
    put('secrets/api/token', 'one');
    put('configMaps/place/region', 'eu');
    await apply(stdio(TOKEN, REGION));
    const count = applied.length;
    put('secrets/api/token', 'one\n');
    put('configMaps/place/region', 'us');
    await vi.waitFor(() => expect(applied.length).toBe(count + 1), 60_000);
    expect(last()).toEqual([{ values: { TOKEN: 'one', REGION: 'us' } }]);
  });

  it('keep the last values when one disappears, until their references change', async () => {
    put('secrets/api/token', CANARY);
    await apply(stdio(TOKEN));
    rmSync(join(directory, 'secrets'), { recursive: true });
    const problem =
      'spec.envFrom[0]: the file secrets/api/token does not exist: create it with mode 0600';
    await vi.waitFor(
      () => expect(last()).toEqual([{ values: { TOKEN: CANARY }, problem }]),
      60_000,
    );
    expect(await apply(stdio(REGION, TOKEN))).toEqual([
      {
        problem:
          'spec.envFrom[0]: the file configMaps/place/region does not exist: create it with mode 0600',
      },
    ]);
  });
});
