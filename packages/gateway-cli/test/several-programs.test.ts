import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import { useDirectory } from './use-directory.ts';

const root = useDirectory();

const servers = (verb: string, ...args: readonly string[]) =>
  runCommand(['servers', verb, 'a', '--config-dir', root.path, ...args]);

it('commands that run at the same time keep the change of each other', async () => {
  await servers('add', '--', 'x');
  const names = ['A', 'B', 'C', 'D'];
  const runs = await Promise.all(names.map((name) => servers('edit', '--env', `${name}=1`)));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(root.spec('a')).toMatchObject({ env: { A: '1', B: '1', C: '1', D: '1' } });
});

it('commands that run at the same time add one server, and the other command says why it did not', async () => {
  const programs = ['one', 'two', 'three'];
  const runs = await Promise.all(programs.map((program) => servers('add', '--', program)));
  const added = programs.filter((_, at) => runs[at]?.code === 0);
  expect(added).toHaveLength(1);
  expect(root.spec('a')).toMatchObject({ command: added[0] });
  for (const { stdout, stderr } of runs.filter(({ code }) => code !== 0)) {
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^gateway: (?:mcpservers\/a\.yaml exists already: change it with gateway servers edit a|a: its file was created by another program meanwhile: try again)\n$/u,
    );
  }
});
