import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { McpServer } from '@gateway/crd-schemas';
import { describe, expect, it, vi } from 'vitest';
import { serverOf, useReferenced } from './referenced-scene.ts';

const CANARY = 'canary-7d1f';
const TOKEN = { name: 'TOKEN', secretKeyRef: { name: 'api', key: 'token' } };
const REGION = { name: 'REGION', configMapKeyRef: { name: 'place', key: 'region' } };

const scene = useReferenced();

const stdio = (...envFrom: readonly object[]): McpServer =>
  serverOf({ type: 'stdio', command: 'run', envFrom });

describe('servers with references', () => {
  it('have the values of files, of which those of Secrets are private', async () => {
    scene.put('secrets/api/token', `${CANARY}\n`);
    scene.put('configMaps/place/region', 'eu', 0o644);
    expect(await scene.apply(stdio(TOKEN, REGION))).toEqual([
      { values: { TOKEN: CANARY, REGION: 'eu' } },
    ]);
    expect(scene.lines).toEqual([]);
  });

  it('without references are applied at once; a new definition replaces the last one when its values were read', async () => {
    scene.put('secrets/api/token', CANARY);
    const plain = serverOf({ type: 'stdio', command: 'run' });
    scene.servers.apply([plain]);
    expect(scene.applied).toEqual([[plain]]);
    scene.servers.apply([stdio(TOKEN)]);
    expect(scene.applied).toEqual([[plain]]);
    await scene.servers.settled();
    expect(scene.last()).toEqual([{ values: { TOKEN: CANARY } }]);
  });

  it('are not applied and have no problem when they are closed before the values were read', async () => {
    scene.put('secrets/api/token', CANARY);
    scene.servers.apply([stdio(TOKEN)]);
    scene.servers.close();
    await scene.servers.settled();
    expect(scene.applied.flat()).toEqual([]);
    expect(scene.lines).toEqual([]);
  });

  it.each([
    ['is absent', () => undefined, 'does not exist: create it with mode 0600'],
    [
      'can be read by others',
      () => scene.put('secrets/api/token', CANARY, 0o644),
      'has mode 0644: set it to 0600',
    ],
    [
      'has too many characters',
      () => scene.put('secrets/api/token', 'x'.repeat(65_537)),
      'has more than 65536 bytes',
    ],
    [
      'is outside of the directory of its Secret',
      () => {
        scene.put('other', CANARY);
        mkdirSync(join(scene.directory, 'secrets/api'), { recursive: true });
        symlinkSync('../../other', join(scene.directory, 'secrets/api/token'));
      },
      'is a link that leaves the directory of its Secret: replace it with a regular file',
    ],
  ])('have a problem without the value when the file %s', async (_what, prepare, text) => {
    prepare();
    const problem = `spec.envFrom[0]: the file secrets/api/token ${text}`;
    expect(await scene.apply(stdio(TOKEN))).toEqual([{ problem }]);
    expect(scene.lines.join('')).toContain(problem);
    expect(scene.lines.join('')).not.toContain(CANARY);
  });

  it('are refused values that inject a header', async () => {
    scene.put('secrets/api/token', `${CANARY}\r\nX-Admin: 1`);
    const url = 'http://127.0.0.1:9/mcp';
    const server = serverOf({ type: 'streamable-http', url, headersFrom: [TOKEN] });
    expect(await scene.apply(server)).toEqual([
      {
        problem:
          'spec.headersFrom[0]: the key "token" of Secret api must be an HTTP header value: no line breaks, no control characters, no characters above U+00FF',
      },
    ]);
    expect(await scene.apply(stdio(TOKEN))).toEqual([
      { values: { TOKEN: `${CANARY}\r\nX-Admin: 1` } },
    ]);
  });

  it('start without an optional value, and have it when it exists', async () => {
    const optional = { ...TOKEN, secretKeyRef: { ...TOKEN.secretKeyRef, optional: true } };
    expect(await scene.apply(stdio(optional))).toEqual([{ values: {} }]);
    scene.put('secrets/api/token', CANARY);
    await vi.waitFor(() => expect(scene.last()).toEqual([{ values: { TOKEN: CANARY } }]), 60_000);
  });

  it('are applied again when a value changes, and not when it is written again', async () => {
    scene.put('secrets/api/token', 'one');
    scene.put('configMaps/place/region', 'eu');
    await scene.apply(stdio(TOKEN, REGION));
    const count = scene.applied.length;
    scene.put('secrets/api/token', 'one\n');
    scene.put('configMaps/place/region', 'us');
    await vi.waitFor(() => expect(scene.applied.length).toBe(count + 1), 60_000);
    expect(scene.last()).toEqual([{ values: { TOKEN: 'one', REGION: 'us' } }]);
  });

  it('keep the last values when one disappears, until their references change', async () => {
    scene.put('secrets/api/token', CANARY);
    await scene.apply(stdio(TOKEN));
    rmSync(join(scene.directory, 'secrets'), { recursive: true });
    const problem =
      'spec.envFrom[0]: the file secrets/api/token does not exist: create it with mode 0600';
    await vi.waitFor(
      () => expect(scene.last()).toEqual([{ values: { TOKEN: CANARY }, problem }]),
      60_000,
    );
    expect(await scene.apply(stdio(REGION, TOKEN))).toEqual([
      {
        problem:
          'spec.envFrom[0]: the file configMaps/place/region does not exist: create it with mode 0600',
      },
    ]);
  });
});

describe('servers with references in defaultsFrom', () => {
  const SERVER = { type: 'stdio', command: 'run' };
  const ID = 'Secret/api/token';
  const NO_FILE = 'the file secrets/api/token does not exist: create it with mode 0600';
  const withTools = (...tools: readonly object[]) =>
    serverOf({ ...SERVER, tools: [{ pattern: '*', title: 'T' }, ...tools] });
  const using = withTools({ name: 'read', defaultsFrom: [{ ...TOKEN, name: 'token' }] });

  it('have the values', async () => {
    scene.put('secrets/api/token', CANARY);
    const toolArguments = { [ID]: { ok: true, text: CANARY } };
    expect(await scene.apply(using)).toEqual([{ values: {}, toolArguments }]);
    expect(await scene.apply(withTools())).toEqual([undefined]);
  });

  it('start without them: the reason is known, and logged once', async () => {
    const reason = { ok: false, code: 'absent', reason: NO_FILE };
    expect(await scene.apply(using)).toEqual([{ values: {}, toolArguments: { [ID]: reason } }]);
    await scene.apply(using);
    expect(scene.lines).toEqual([expect.stringContaining(`"spec.tools: ${NO_FILE}"`)]);
  });

  it('receive other values, and keep the last one when it disappears', async () => {
    scene.put('secrets/api/token', 'one');
    await scene.apply(using);
    scene.put('secrets/api/token', 'two');
    const toolArguments = { [ID]: { ok: true, text: 'two' } };
    const isTwo = () => expect(scene.last()).toEqual([{ values: {}, toolArguments }]);
    await vi.waitFor(isTwo, 60_000);
    rmSync(join(scene.directory, 'secrets'), { recursive: true });
    const hidden = { name: 'write', hidden: true };
    const references = { name: 'read', defaultsFrom: [{ ...TOKEN, name: 'token' }] };
    expect(await scene.apply(withTools(references, hidden))).toEqual([
      { values: {}, toolArguments },
    ]);
  });

  it('do not receive texts that no argument may have', async () => {
    scene.put('secrets/api/token', `${CANARY}\0`);
    const [referenced] = (await scene.apply(using)) ?? [];
    expect(referenced?.toolArguments?.[ID]).toMatchObject({ ok: false, code: 'unreadable' });
    expect(JSON.stringify(referenced) + scene.lines.join('')).not.toContain(CANARY);
  });
});
