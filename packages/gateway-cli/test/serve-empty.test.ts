import type { ServeArguments } from '@gateway/gateway-cli';
import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { failure, runCommand } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const root = useDirectory();

const runServe = async (...args: readonly string[]) => {
  const served: (ServeArguments & { readonly files: readonly string[] })[] = [];
  const serve = (options: ServeArguments) => {
    served.push({ ...options, files: readdirSync(options.configDir) });
    return Promise.resolve('succeeded' as const);
  };
  return { ...(await runCommand(['serve', ...args], {}, { serve })), served };
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
  for (const command of ['init', 'servers add', 'import']) {
    const line = new RegExp(`gateway (${command} .*?)(?: lists .*)?$`, 'mu').exec(stderr)?.[1];
    const words = line?.replaceAll('my-servers', root.resolve('my-servers')).split(' ') ?? [];
    expect(await runCommand(words, { env: { HOME: root.path } })).toMatchObject({ code: 0 });
  }
  expect(root.list('my-servers/mcpservers')).toContain('files.yaml');
});

it('gateway serve with a directory serves it and prints nothing', async () => {
  const { served, stderr } = await runServe('--config-dir', import.meta.dirname);
  expect(served).toMatchObject([{ configDir: import.meta.dirname }]);
  expect(served[0]).not.toHaveProperty('coreToolWrites');
  expect(stderr).toBe('');
});

it('refuses --kubernetes without a directory', async () => {
  const stderr = 'gateway: --kubernetes requires --config-dir <dir>\n';
  expect(await runServe('--kubernetes')).toMatchObject({ code: 2, served: [], stderr });
});

it.each([['--workers'], ['--workers', '1'], ['--workers', '2'], ['--workers=two']])(
  'refuses %s %s, and names what has more than one process',
  async (...workers) => {
    const stderr =
      'gateway: gateway serve has no --workers: for more processes, start several gateways that share a Redis or Valkey server (see "Replicas" in docs/operations.md)\n';
    const directory = ['--config-dir', import.meta.dirname];
    for (const args of [workers, [...directory, ...workers], [...workers, ...directory]])
      expect(await runServe(...args)).toMatchObject({ code: 2, served: [], stderr });
  },
);

const REMOTE = ['stdio', '--url', 'http://127.0.0.1:9'];
it.each([
  [['stdio'], 'requires --config-dir <dir>, or --url <url>'],
  [['stdio', '--config-dir', '.', '--header', 'A: b'], '--header requires --url'],
  [[...REMOTE, '--config-dir', '.'], '--config-dir is for a gateway'],
  [[...REMOTE, '--header', 'nothing'], 'form "Name: value"'],
  [[...REMOTE, '--header', 'Authorization: Bearer x'], 'are public'],
])('gateway refuses %j', async (args, text) => {
  const run = await runCommand(args);
  expect(run).toMatchObject(failure(text));
  expect(run.stderr).not.toContain('Bearer x');
});
