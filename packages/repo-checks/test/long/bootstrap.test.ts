import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { parse, stringify } from 'yaml';
import { installedPath } from '../../bootstrap/application-node.mjs';
import { olderNode } from '../older-node.ts';
import { withToyCheckout } from '../toy-checkout.ts';

const INSTALL = 'install --package=pnpm@10.34.8';
const BUILD = 'build --package=pnpm@10.34.8';

describe('preparing a checkout', () => {
  it('installs and builds with the pinned pnpm', () =>
    withToyCheckout(async ({ run, asked }) => {
      const { code, stdout } = await run('prepare');
      expect([code, stdout]).toEqual([0, '']);
      expect(await asked()).toEqual([INSTALL, BUILD]);
    }));

  it('is done by one run after another when several begin at the same time', () =>
    withToyCheckout(async ({ run, asked }) => {
      const all = await Promise.all([run('prepare'), run('prepare'), run('prepare')]);
      expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect((await asked()).toSorted()).toEqual([BUILD, BUILD, BUILD, INSTALL, INSTALL, INSTALL]);
    }));

  it('takes over the lock of a process that died', () =>
    withToyCheckout(async ({ root, start, run, asked }) => {
      const killed = start('prepare');
      for await (const chunk of killed.stderr) {
        if (String(chunk).includes('busy')) break;
      }
      killed.kill('SIGKILL');
      await once(killed, 'exit');
      await vi.waitFor(() => expect(existsSync(join(root, 'busy'))).toBe(false), 10_000);
      await asked();
      expect((await run('prepare')).code).toBe(0);
      expect(await asked()).toEqual([INSTALL, BUILD]);
    }));

  it('waits for no process that is gone, whose file it cannot read', () =>
    withToyCheckout(async ({ root, run }) => {
      const folder = join(root, 'node_modules/.cache/gateway/preparing');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '999999999'), '', { mode: 0o000 });
      expect((await run('prepare')).code).toBe(0);
      expect(await readdir(folder)).toEqual([]);
    }));

  it('waits for a process that prepares, and names it', () =>
    withToyCheckout(async ({ root, start }) => {
      const folder = join(root, 'node_modules/.cache/gateway/preparing');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, String(process.pid)), '');
      const waiting = start('prepare');
      for await (const chunk of waiting.stderr) {
        const text = String(chunk);
        if (text === `Waiting for process ${process.pid}, which prepares this checkout ...\n`)
          await rm(join(folder, String(process.pid)));
      }
      expect(waiting.exitCode ?? (await once(waiting, 'exit'))[0]).toBe(0);
    }));

  it('writes a line for each package that is built, and all that the build says when it fails', () =>
    withToyCheckout(async ({ root, run }) => {
      expect((await run('prepare')).stderr).toBe(
        'Installing dependencies with pnpm 10.34.8 ...\nbusy\nBuilding b ...\n',
      );
      await writeFile(join(root, 'fail-build'), '');
      expect((await run('prepare')).stderr).toMatch(
        /\nBuilding b [.]{3}\na:build: .*\nb:build: .*\nb:build: > tsup\n$/u,
      );
    }));

  it('ends with the code of the step that failed', () =>
    withToyCheckout(async ({ root, run, asked }) => {
      await writeFile(join(root, 'fail-build'), '');
      expect(await run('start')).toMatchObject({ code: 7, stdout: '' });
      await rm(join(root, 'fail-build'));
      await asked();
      expect((await run('prepare')).code).toBe(0);
      expect(await asked()).toEqual([INSTALL, BUILD]);
    }));
});

describe('with the npm of this machine', () => {
  const lockFile = (version: string, integrity: string): string => `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      '@toy/x':
        specifier: ^1.0.0
        version: ${version}
  apps/gateway: {}
packages:
  '@toy/x@${version}':
    resolution: { integrity: ${integrity} }
snapshots:
  '@toy/x@${version}': {}
`;

  /** Returns the settings of pnpm in this repository, without its packages and versions. */
  const settings = async (): Promise<string> => {
    const file = resolve(import.meta.dirname, '../../../../pnpm-workspace.yaml');
    const {
      catalog: _,
      overrides: __,
      packageExtensions: ___,
      ...others
    } = parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    return stringify({ ...others, packages: ['apps/*'] });
  };

  /** Packs a package without files; returns the integrity of the archive. */
  const pack = async (folder: string, version: string): Promise<string> => {
    const manifest = JSON.stringify({ name: '@toy/x', version });
    await mkdir(join(folder, version, 'package'), { recursive: true });
    await writeFile(join(folder, version, 'package/package.json'), manifest);
    const file = join(folder, `x-${version}.tgz`);
    await promisify(execFile)('tar', ['czf', file, '-C', join(folder, version), 'package']);
    return `sha512-${createHash('sha512')
      .update(await readFile(file))
      .digest('base64')}`;
  };

  it('installs when only pnpm-lock.yaml has changed, and asks no registry later', () =>
    withToyCheckout(async ({ root, runWith }) => {
      const folder = join(root, 'registry');
      const asked: unknown[] = [];
      const registry = createServer(({ url = '' }, response) => {
        asked.push(url);
        createReadStream(join(folder, basename(url))).pipe(response);
      }).listen(0, '127.0.0.1');
      // npm and pnpm ask other registries like this when it is their proxy.
      registry.on('connect', ({ url }, socket) => {
        asked.push(url);
        socket.destroy();
      });
      await once(registry, 'listening');
      const { port } = registry.address() as AddressInfo;
      const manifest = {
        packageManager: 'pnpm@10.34.8',
        dependencies: { '@toy/x': '^1.0.0' },
      };
      await writeFile(join(root, 'package.json'), JSON.stringify(manifest));
      await writeFile(join(root, 'pnpm-workspace.yaml'), await settings());
      await writeFile(
        join(root, '.npmrc'),
        `@toy:registry=http://127.0.0.1:${port}/\nstore-dir=.store\n`,
      );
      await writeFile(join(root, 'packages/repo-checks/bin/gen.mjs'), '');
      const gen = async (env: NodeJS.ProcessEnv = {}): Promise<unknown> => {
        const npm = { npm_execpath: process.env['npm_execpath'] };
        const { code, stderr } = await runWith({ env: { ...npm, ...env } }, 'gen');
        if (code !== 0) return stderr;
        const installed = join(root, 'node_modules/@toy/x/package.json');
        return (JSON.parse(await readFile(installed, 'utf8')) as { version: string }).version;
      };
      for (const version of ['1.0.0', '1.0.1']) {
        const lock = lockFile(version, await pack(folder, version));
        await writeFile(join(root, 'pnpm-lock.yaml'), lock);
        expect(await gen()).toBe(version);
      }
      expect(asked).toEqual(['/@toy/x/-/x-1.0.0.tgz', '/@toy/x/-/x-1.0.1.tgz']);
      const proxy = `http://127.0.0.1:${port}`;
      expect(await gen({ npm_config_proxy: proxy, npm_config_https_proxy: proxy })).toBe('1.0.1');
      expect(asked).toHaveLength(2);
      registry.close();
    }));
});

describe('start', () => {
  it('passes its arguments and the exit code on', () =>
    withToyCheckout(async ({ run }) => {
      expect(await run('start', 'exit', '5', '--port', '9 0')).toMatchObject({
        code: 5,
        stdout: '["exit","5","--port","9 0"]\n',
      });
    }));

  it('passes SIGTERM on and waits for the end', () =>
    withToyCheckout(async ({ start, run }) => {
      await run('prepare');
      const child = start('start');
      let stdout = '';
      for await (const chunk of child.stdout) {
        stdout += String(chunk);
        if (stdout.includes('ready')) child.kill('SIGTERM');
      }
      expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(3);
    }));
});

describe('bench', () => {
  it('answers its help and refused options, and prepares nothing', () =>
    withToyCheckout(async ({ run, asked }) => {
      const help = { code: 0, stdout: 'help\n', stderr: '' };
      expect(await run('bench', '--help')).toEqual(help);
      expect(await run('bench', '--packages', '--help')).toEqual(help);
      expect(await run('bench', '--quick')).toEqual({
        code: 2,
        stdout: '',
        stderr: 'refused --quick\n',
      });
      expect(await asked()).toEqual([]);
    }));
});

describe('setup', () => {
  it('builds the gateway, and prints the line that makes it a command', () =>
    withToyCheckout(async ({ root, run, asked }) => {
      const program = join(root, 'apps/gateway/dist/cli.js');
      const { code, stdout } = await run('setup');
      expect(code).toBe(0);
      expect(stdout.trimEnd().split('\n').at(-1)).toBe(
        `  alias gateway="'${process.execPath}' '${program}'"`,
      );
      expect(await asked()).toEqual([INSTALL, BUILD]);
    }));
});

describe('started on an older Node', () => {
  it('continues on the Node that npm installed', () =>
    withToyCheckout(async ({ runWith }) => {
      expect(await runWith({ node: olderNode() }, 'start', 'version')).toMatchObject({
        code: 0,
        stdout: `["version"]\n${process.version}\n`,
      });
    }));

  it('continues there when NODE_OPTIONS has an option of the older Node only, which Node reports', () =>
    withToyCheckout(async ({ runWith }) => {
      const env = { NODE_OPTIONS: '--experimental-network-imports' };
      const { code, stderr } = await runWith({ node: olderNode(), env }, 'start', 'version');
      expect(code).toBe(9);
      expect(stderr).toContain('--experimental-network-imports is not allowed in NODE_OPTIONS');
    }));

  it('does not continue on an installed Node of another release', () =>
    withToyCheckout(async ({ root, runWith }) => {
      const program = installedPath(root) ?? '';
      await rm(program);
      await symlink(olderNode(), program);
      const { code, stderr } = await runWith({ node: olderNode() }, 'start', 'version');
      expect(code).toBe(1);
      expect(stderr).toContain('The tools need Node 24');
    }));

  it('ends with the remedy when npm has none for this platform', () =>
    withToyCheckout(async ({ root, runWith }) => {
      await rm(join(root, 'packages/repo-checks/node_modules'), { recursive: true });
      const { code, stdout, stderr } = await runWith({ node: olderNode() }, 'test');
      expect([code, stdout]).toEqual([1, '0 passed, 1 failed\n']);
      expect(stderr).toMatch(
        /The tools need Node 24, and npm installed none for \S+; this is 2\d[.]\d+[.]\d+[.] Run the command with Node 24[.]\n$/u,
      );
    }));
});

describe('test', () => {
  const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);

  it('ends with the closing line and 0 when everything passed', () =>
    withToyCheckout(async ({ run }) => {
      const { code, stdout } = await run('test');
      expect([code, lastLine(stdout)]).toEqual([0, '1 passed, 0 failed']);
    }));

  it('says 1 failed when the runner crashed without a report', () =>
    withToyCheckout(async ({ root, run }) => {
      await rm(join(root, 'report.json'));
      await writeFile(join(root, 'code'), '134');
      const { code, stdout } = await run('test');
      expect([code, lastLine(stdout)]).toEqual([134, '0 passed, 1 failed']);
    }));

  it('names the file that failed', () =>
    withToyCheckout(async ({ root, run }) => {
      const name = join(root, 'packages/a/test/a.test.ts');
      const testResults = [{ name, status: 'failed', message: 'no b' }];
      await writeFile(join(root, 'report.json'), JSON.stringify({ testResults }));
      await writeFile(join(root, 'code'), '1');
      expect((await run('test')).stdout).toBe(
        'Failed: packages/a/test/a.test.ts: no b\n0 passed, 1 failed\n',
      );
    }));

  it('says 1 failed when nothing could be installed', () =>
    withToyCheckout(async ({ root, run }) => {
      await writeFile(join(root, 'fail-install'), '');
      expect(await run('test')).toMatchObject({ code: 7, stdout: '0 passed, 1 failed\n' });
    }));
});

describe('a checkout whose cache cannot be written', () => {
  it('ends with one sentence and the closing line', () =>
    withToyCheckout(async ({ root, run, asked }) => {
      await rm(join(root, 'node_modules/.cache'), { recursive: true, force: true });
      await writeFile(join(root, 'node_modules/.cache'), 'a file in place of the folder');
      const { code, stdout, stderr } = await run('test');
      expect([code, stdout]).toEqual([1, '0 passed, 1 failed\n']);
      expect(stderr).toMatch(/^E[A-Z]+: [^\n]*node_modules\/\.cache[^\n]*\n$/u);
      expect(await asked()).toEqual([]);
    }));
});

describe('an unknown task', () => {
  it('is refused with the usage, and prepares nothing', () =>
    withToyCheckout(async ({ run, asked }) => {
      expect(await run('constructor')).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'Usage: bootstrap.mjs bench|build|chaos|check|compat|conformance|gen|lint|prepare|setup|soak|start|test|test:long|typecheck [arguments]\n',
      });
      expect(await asked()).toEqual([]);
    }));
});
