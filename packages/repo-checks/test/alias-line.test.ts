import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { aliasLine } from '../bootstrap/tasks.mjs';

it('is short for a usual path', () => {
  expect(aliasLine('/opt/node 24/node', '/home/me/my code/cli.js')).toBe(
    `alias gateway="'/opt/node 24/node' '/home/me/my code/cli.js'"`,
  );
});

it('starts a program whose path has characters of the shell', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alias-line-'));
  const checkout = join(folder, `it's "$HOME" \`id\` !x \\ end`);
  await mkdir(checkout);
  const program = join(checkout, 'cli.js');
  await writeFile(program, 'process.stdout.write(JSON.stringify(process.argv.slice(1)))');
  // Only an interactive shell and a POSIX shell expand aliases, in the lines after the alias.
  const script = `${aliasLine(process.execPath, program)}\ngateway version\n`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(JSON.parse(stdout)).toEqual([program, 'version']);
  await rm(folder, { recursive: true });
});
