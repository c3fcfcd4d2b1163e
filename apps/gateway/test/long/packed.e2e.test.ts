import { retryAssertion } from '@gateway/repo-checks';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callTool, serverInfo, textOf, toolNames } from '../harness/answers.ts';
import { connect } from '../harness/clients.ts';
import { REPOSITORY } from '../harness/example-copy.ts';
import { setUp } from '../harness/lifetime.ts';
import { descendantsOf, isRunning } from '../harness/living-process.ts';
import { codeBlocks } from '../harness/markdown.ts';
import { installPacked, type PackedGateway } from '../harness/packed-gateway.ts';
import type { RunningProcess } from '../harness/process.ts';
import { INITIALIZE } from '../harness/initialize-message.ts';

const QUICK_START = join(REPOSITORY, 'docs/quick-start.md');
const ON_A_FREE_PORT = ['--port', '0', '--no-health-listener', '--log-format', 'json'];

let packed: PackedGateway;
setUp(async () => {
  packed = await installPacked();
});

const emptyCatalogs = (): number =>
  readdirSync(packed.temporary).filter((name) => name.startsWith('gateway-empty-')).length;

const urlOf = async (running: RunningProcess): Promise<URL> => {
  const line = await running.line((text) => text.includes('"msg":"listening"'));
  return new URL((JSON.parse(line) as { readonly url: string }).url);
};

/** Ends npx alone, and waits until the gateway and its servers have followed. */
const endWithNpx = async (running: RunningProcess): Promise<void> => {
  const family = descendantsOf(running.child.pid ?? 0);
  expect(family.length).toBeGreaterThan(0);
  await running.stop('SIGTERM');
  for (const pid of family)
    await retryAssertion(() => {
      expect(isRunning(pid)).toBe(false);
    });
};

/** The commands of the steps that a text shows, without the name of the program. */
const shownSteps = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^ {2}\d\. gateway (.+)$/gmu)].map(([, command = '']) => command.split(' '));

describe('npx gateway, installed from its tarball in an empty folder,', () => {
  it('serves an empty catalog without a configuration, and its next steps work', async () => {
    const empty = packed.npx(['serve', ...ON_A_FREE_PORT]);
    const client = await connect(await urlOf(empty));
    expect((await toolNames(client)).filter((name) => !name.startsWith('core_'))).toEqual([]);
    const server = { name: 'x', type: 'stdio', command: 'x' };
    expect(textOf(await callTool(client, 'core_mcpserver_create', server))).toContain('coreTools');
    expect(emptyCatalogs()).toBe(1);
    await client.close();
    await endWithNpx(empty);
    expect(emptyCatalogs()).toBe(0);

    const [create = [], add = [], serve = [], ...further] = shownSteps(empty.stderr.join('\n'));
    expect(further).toEqual([]);
    for (const step of [create, add])
      expect(await packed.npx(step).exited).toEqual({ code: 0, signal: null });
    const served = packed.npx([...serve, ...ON_A_FREE_PORT]);
    const second = await connect(await urlOf(served));
    await retryAssertion(async () => {
      expect(await serverInfo(second, 'files')).toMatchObject({ state: 'Running' });
    });
    const listed = await callTool(second, 'x_files_list_allowed_directories', {});
    expect(textOf(listed)).toContain('/tmp');
    await second.close();
    await endWithNpx(served);
  });

  it('imports the servers of a client, and serves them', async () => {
    const program = codeBlocks('', readFileSync(QUICK_START, 'utf8')).find(
      ({ language, content }) => language === 'js' && content.includes("'greet'"),
    );
    writeFileSync(join(packed.folder, 'server.mjs'), program?.content ?? '');
    const server = { command: process.execPath, args: ['server.mjs'], cwd: packed.folder };
    const client = { mcpServers: { mine: server } };
    writeFileSync(join(packed.folder, 'client.json'), JSON.stringify(client));
    mkdirSync(join(packed.folder, 'imported'));
    const directory = ['--config-dir', 'imported'];

    const shown = packed.npx(['import', 'client.json', ...directory]);
    expect(await shown.exited).toEqual({ code: 0, signal: null });
    expect(readdirSync(join(packed.folder, 'imported'))).toEqual([]);
    const written = packed.npx(['import', 'client.json', ...directory, '--write', '--start']);
    expect(await written.exited).toEqual({ code: 0, signal: null });

    const served = packed.npx(['serve', ...directory, ...ON_A_FREE_PORT]);
    const caller = await connect(await urlOf(served));
    await retryAssertion(async () => {
      expect(await serverInfo(caller, 'mine')).toMatchObject({ state: 'Running' });
    });
    expect(textOf(await callTool(caller, 'x_mine_greet', { name: 'Ada' }))).toBe('Hello, Ada!');
    await caller.close();
    await endWithNpx(served);
  });

  it('has no types, and needs none', () => {
    const installed = readdirSync(join(packed.folder, 'node_modules'));
    expect(installed).toContain('@gateway');
    expect(installed.filter((name) => name === '@types' || name === 'typescript')).toEqual([]);
    const manifest = join(packed.folder, 'node_modules/@gateway/gateway/package.json');
    expect(readFileSync(manifest, 'utf8')).not.toMatch(/"(?:workspace|catalog):/u);
  });

  it('serves the portal', async () => {
    const served = packed.npx(['serve', '--portal', '0', ...ON_A_FREE_PORT]);
    const line = await served.line((text) => text.includes('"msg":"the portal serves"'));
    const { url } = JSON.parse(line) as { readonly url: string };
    expect(await (await fetch(url)).text()).toContain('<base href="/"');
    await endWithNpx(served);
  });

  it('serves a client over stdio, and ends with it', async () => {
    mkdirSync(join(packed.folder, 'none'), { recursive: true });
    const served = packed.npx(['stdio', '--config-dir', 'none']);
    served.child.stdin?.write(`${JSON.stringify(INITIALIZE)}\n`);
    expect(await served.line((line) => line.includes('"id":1'))).toContain('"serverInfo"');
    served.child.stdin?.end();
    expect(await served.exited).toEqual({ code: 0, signal: null });
  });
});
