import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
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

  it('takes over a lock that names no process', () =>
    withToyCheckout(async ({ root, run }) => {
      const cache = join(root, 'node_modules/.cache/gateway');
      await mkdir(cache, { recursive: true });
      await writeFile(join(cache, 'prepare.lock'), '');
      expect((await run('prepare')).code).toBe(0);
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
