import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TRANSPORTS, overRest } from './harness/transports.ts';
import { filesIn } from './harness/files-in.ts';
import { runProcess, startProcess, type ServiceProcess } from './harness/service-process.ts';

const DIST = resolve(import.meta.dirname, '../dist');

let folder: string;
let cli: string;
let store: string;
beforeAll(() => {
  // A folder of its own, where no library is installed.
  folder = mkdtempSync(join(tmpdir(), 'agent-manager-'));
  cpSync(DIST, join(folder, 'dist'), { recursive: true });
  cli = join(folder, 'dist/cli.js');
  store = join(folder, 'store');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const agent = (name: string) => ({ name, modelConfig: 'small', toolset: ['preset:none'] });

interface AgentBody {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
}

const namesOf = async (url: string): Promise<readonly string[]> => {
  const { body } = await overRest(url, 'list_agents', {});
  return (body as { agents: readonly AgentBody[] }).agents.map(({ name }) => name);
};

/** Creates agents until the connection breaks, and returns the acknowledged ones. */
async function createUntilDeath(url: string, prefix: string, onEach: () => void) {
  const acknowledged: string[] = [];
  for (let number = 0; ; number += 1) {
    const name = `${prefix}-${String(number)}`;
    const answer = await overRest(url, 'create_agent', agent(name)).catch(() => undefined);
    if (answer === undefined) return acknowledged;
    expect(answer.status).toBe(201);
    acknowledged.push(name);
    onEach();
  }
}

/** Kills the service while several callers write. @returns what was acknowledged */
async function killedWhileWriting(service: ServiceProcess, round: number) {
  let count = 0;
  const writers = ['a', 'b', 'c'].map((writer) =>
    createUntilDeath(service.url, `${writer}${String(round)}`, () => {
      count += 1;
      if (count === 12) service.child.kill('SIGKILL');
    }),
  );
  return (await Promise.all(writers)).flat();
}

describe('agent-manager in processes', () => {
  it('preserves acknowledged writes when it is killed during a write, and leaves no partial file', async () => {
    const acknowledged: string[] = [];
    for (const round of [1, 2]) {
      const service = await startProcess(cli, store);
      acknowledged.push(...(await killedWhileWriting(service, round)));
      expect(await service.stop('SIGKILL')).toBeNull();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(24);
    const service = await startProcess(cli, store);
    const names = await namesOf(service.url);
    expect(names).toEqual(expect.arrayContaining(acknowledged));
    const files = Object.entries(filesIn(join(store, 'releases')));
    expect(files.map(([file]) => file.replace(/^default\/(.*)\.yaml$/u, '$1'))).toEqual(names);
    for (const [file, text] of files)
      expect(parse(text), file).toMatchObject({ kind: 'HelmRelease', spec: { interval: '10m' } });
    expect(await service.stop('SIGINT')).toBe(0);
    expect(service.stderr()).toContain('"msg":"stopped"');
  });

  it('loses no write when two processes change one agent, and reflects edits of its file immediately', async () => {
    const [one, two] = await Promise.all([startProcess(cli, store), startProcess(cli, store)]);
    await overRest(one.url, 'create_agent', agent('shared'));
    const conflicts: string[] = [];
    /** Changes one field again and again. @returns the last value that was acknowledged */
    const write = async ({ url }: ServiceProcess, field: string): Promise<string> => {
      let last = '';
      for (let number = 1; number <= 25; number += 1) {
        const value = `${field} ${String(number)}`;
        const answer = await overRest(url, 'update_agent', { name: 'shared', [field]: value });
        if (answer.status === 200) last = value;
        else conflicts.push(JSON.stringify(answer));
      }
      return last;
    };
    const [displayName, description] = await Promise.all([
      write(one, 'displayName'),
      write(two, 'description'),
    ]);
    expect(conflicts.filter((answer) => !answer.startsWith('{"status":409,'))).toEqual([]);
    for (const { url } of [one, two])
      for (const ask of Object.values(TRANSPORTS))
        expect((await ask(url, 'get_agent', { name: 'shared' })).body).toMatchObject({
          displayName,
          description,
        });

    const file = join(store, 'releases/default/shared.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(description, 'edited by hand'));
    for (const { url } of [one, two])
      for (const ask of Object.values(TRANSPORTS))
        expect((await ask(url, 'get_agent', { name: 'shared' })).body).toMatchObject({
          description: 'edited by hand',
        });

    const { port } = new URL(one.url);
    const third = await runProcess(cli, ['serve', '--store', store, '--port', port]);
    expect(third.code).toBe(1);
    expect(third.stderr).toContain(
      `port ${port} of 127.0.0.1 is in use by another process: end that process, or choose another port with --port`,
    );
    expect(await Promise.all([one.stop('SIGTERM'), two.stop('SIGTERM')])).toEqual([0, 0]);
  });
});

describe('the built program', () => {
  it('is small, and loads the client of Kubernetes only for a cluster and the check of tokens only for sign-in', () => {
    const sizes = readdirSync(DIST)
      .filter((file) => file.endsWith('.js'))
      .map((file) => [file, readFileSync(join(DIST, file)).length] as const);
    const of = (form: RegExp) =>
      sizes.filter(([file]) => form.test(file)).reduce((sum, [, size]) => sum + size, 0);
    expect(of(/^client-library-/u)).toBeLessThan(600_000);
    expect(of(/^resource-server-/u)).toBeLessThan(1_500_000);
    expect(of(/^undici-/u)).toBeLessThan(900_000);
    expect(of(/^(?!resource-server-|undici-)/u)).toBeLessThan(3_000_000);
    expect(readFileSync(join(DIST, 'cli.js'), 'utf8')).not.toContain('client-library');
  });

  it('includes the licences of all bundled libraries', () => {
    const text = readFileSync(join(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['@cfworker/json-schema', '@kubernetes/client-node', 'commander', 'pino'])
      expect(text).toMatch(
        new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((?:MIT|Apache-2\\.0)\\)$`, 'mu'),
      );
    expect(text).not.toContain('tr46');
  });
});
