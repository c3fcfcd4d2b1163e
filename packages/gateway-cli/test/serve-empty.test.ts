import { createBufferedIo, runCli, type ServeArguments } from '@gateway/gateway-cli';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';

const runServe = async (...args: readonly string[]) => {
  const io = createBufferedIo();
  const served: (ServeArguments & { readonly files: readonly string[] })[] = [];
  const code = await runCli(['serve', ...args], io, {
    serve: (options) => {
      served.push({ ...options, files: readdirSync(options.configDir) });
      return Promise.resolve('succeeded');
    },
    serveStdio: () => Promise.resolve('failed'),
    stateProblem: () => Promise.resolve(undefined),
    toolsetProblem: () => undefined,
    probeServers: () => Promise.reject(new Error('no command of this test')),
  });
  return { code, served, ...io.written };
};

it('gateway serve without a directory serves an empty one, removes it and prints the next steps', async () => {
  const { code, served, stderr } = await runServe();
  expect(code).toBe(0);
  expect(served).toMatchObject([{ files: [], coreToolWrites: 'none' }]);
  expect(existsSync(served[0]?.configDir ?? '')).toBe(false);
  expect(stderr).toContain('  3. gateway serve --config-dir my-servers\n');
  expect(stderr).not.toContain('apiVersion');
});

it('the next steps are commands that write a server', async () => {
  const { stderr } = await runServe();
  const root = mkdtempSync(join(tmpdir(), 'gateway-steps-'));
  const directory = join(root, 'my-servers');
  try {
    for (const command of ['init', 'servers add', 'import']) {
      const line = new RegExp(`gateway (${command} .*?)(?: lists .*)?$`, 'mu').exec(stderr)?.[1];
      const words = line?.replaceAll('my-servers', directory).split(' ') ?? [];
      expect(await runCommand(words, { env: { HOME: root } })).toMatchObject({ code: 0 });
    }
    expect(readdirSync(join(directory, 'mcpservers'))).toContain('files.yaml');
  } finally {
    rmSync(root, { recursive: true });
  }
});

it('gateway serve with a directory serves it and prints nothing', async () => {
  const { served, stderr } = await runServe('--config-dir', import.meta.dirname);
  expect(served).toMatchObject([{ configDir: import.meta.dirname }]);
  expect(served[0]).not.toHaveProperty('coreToolWrites');
  expect(stderr).toBe('');
});

it('refuses --kubernetes without a directory', async () => {
  expect(await runServe('--kubernetes')).toMatchObject({
    code: 2,
    served: [],
    stderr: 'gateway: --kubernetes requires --config-dir <dir>\n',
  });
});

it.each([['--workers'], ['--workers', '1'], ['--workers', '2'], ['--workers=two']])(
  'refuses %s %s, and names what has more than one process',
  async (...workers) => {
    const directory = ['--config-dir', import.meta.dirname];
    for (const args of [workers, [...directory, ...workers], [...workers, ...directory]]) {
      expect(await runServe(...args)).toMatchObject({
        code: 2,
        served: [],
        stderr:
          'gateway: gateway serve has no --workers: for more processes, start several gateways that share a Redis or Valkey server (see "Replicas" in docs/operations.md)\n',
      });
    }
  },
);

it.each([
  [['stdio'], 'requires --config-dir <dir>, or --url <url>'],
  [['stdio', '--config-dir', '.', '--header', 'A: b'], '--header requires --url'],
  [['stdio', '--url', 'http://127.0.0.1:9', '--config-dir', '.'], '--config-dir is for a gateway'],
  [['stdio', '--url', 'http://127.0.0.1:9', '--header', 'nothing'], 'form "Name: value"'],
  [['stdio', '--url', 'http://127.0.0.1:9', '--header', 'Authorization: Bearer x'], 'are public'],
])('gateway refuses %j', async (args, text) => {
  const { code, stderr } = await runCommand(args);
  expect(code).toBe(2);
  expect(stderr).toContain(text);
  expect(stderr).not.toContain('Bearer x');
});
