import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { olderNode } from '../older-node.ts';
import { withToyCheckout } from '../toy-checkout.ts';

const INSTALL = 'install --package=pnpm@10.34.8';
const BUILD = 'build --package=pnpm@10.34.8';

/** The root commands, in a small checkout. That they work in this one is shown by every run of the tests. */
describe('a root command', () => {
  it('installs and builds with the pinned pnpm, one run after another', () =>
    withToyCheckout(async ({ root, run, asked }) => {
      const all = await Promise.all([run('prepare'), run('prepare')]);
      expect(all.map(({ code, stdout }) => [code, stdout])).toEqual([
        [0, ''],
        [0, ''],
      ]);
      expect((await asked()).toSorted()).toEqual([BUILD, BUILD, INSTALL, INSTALL]);
      await writeFile(join(root, 'fail-build'), '');
      expect(await run('start')).toMatchObject({ code: 7, stdout: '' });
    }));

  it('passes its arguments, the exit code and SIGTERM on', () =>
    withToyCheckout(async ({ start, run }) => {
      expect(await run('start', 'exit', '5', '--port', '9 0')).toMatchObject({
        code: 5,
        stdout: '["exit","5","--port","9 0"]\n',
      });
      const child = start('start');
      let stdout = '';
      for await (const chunk of child.stdout) {
        stdout += String(chunk);
        if (stdout.includes('ready')) child.kill('SIGTERM');
      }
      expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(3);
    }));

  it('continues on the Node that npm installed', () =>
    withToyCheckout(async ({ runOn }) => {
      expect(await runOn(olderNode(), 'start', 'version')).toMatchObject({
        code: 0,
        stdout: `["version"]\n${process.version}\n`,
      });
    }));

  it('is refused with the usage when it is unknown', () =>
    withToyCheckout(async ({ run, asked }) => {
      expect(await run('constructor')).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Usage: bootstrap\.mjs bench\|build\|/u) as unknown,
      });
      expect(await asked()).toEqual([]);
    }));

  it('that tests ends with the closing line, also when nothing was installed or the runner crashed', () =>
    withToyCheckout(async ({ root, run }) => {
      expect(await run('test')).toMatchObject({ code: 0, stdout: '1 passed, 0 failed\n' });
      const name = join(root, 'packages/a/test/a.test.ts');
      const testResults = [{ name, status: 'failed', message: 'no b' }];
      await writeFile(join(root, 'report.json'), JSON.stringify({ testResults }));
      await writeFile(join(root, 'code'), '1');
      expect((await run('test')).stdout).toBe(
        'Failed: packages/a/test/a.test.ts: no b\n0 passed, 1 failed\n',
      );
      await rm(join(root, 'report.json'));
      await writeFile(join(root, 'code'), '134');
      const crashed = await run('test');
      expect(crashed.code).toBe(134);
      expect(crashed.stdout).toMatch(/\n0 passed, 1 failed\n$/u);
      await writeFile(join(root, 'fail-install'), '');
      expect(await run('test')).toMatchObject({ code: 7, stdout: '0 passed, 1 failed\n' });
    }));
});
