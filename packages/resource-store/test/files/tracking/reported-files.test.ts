import { link, symlink } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { DirectoryTracker } from '../../../src/files/directory-tracker.ts';
import {
  configurationDirectory,
  serverText,
  type ConfigurationDirectory,
} from '../configuration-directory.ts';

it.each<readonly [boolean, string, (directory: ConfigurationDirectory) => Promise<void>]>([
  [true, 'plain files, valid or not', ({ write }) => write('mcpservers/b.yaml', 'no server')],
  [false, 'a link', ({ at }) => symlink(at('config.yaml'), at('mcpservers/b.yaml'))],
  [false, 'a file with two names', ({ at }) => link(at('mcpservers/a.yaml'), at('second-name'))],
  [
    false,
    'a directory that cannot be listed',
    async ({ remove, write }) => {
      await remove('mcpservers');
      await write('mcpservers', 'a file');
    },
  ],
])('reports changes by watches (%j) of %s', async (isReported, _, change) => {
  const files = { 'config.yaml': 'a: 1\n', 'mcpservers/a.yaml': serverText('a') };
  const created = await configurationDirectory(files);
  const tracker = new DirectoryTracker({ directory: created.directory }, () => performance.now());
  const scan = () => tracker.scan({ debounceMs: 0, graceMs: 0 });
  expect(await scan()).toMatchObject({ isReported: true });
  await change(created);
  expect(await scan()).toMatchObject({ isReported });
});
