import { describe, expect, it } from 'vitest';
import { filesWithPeers, notRun, patternsOf, peersOf } from '../bootstrap/real-peers.mjs';
import { withToyTree } from './toy-tree.ts';

describe('the peers of a test file', () => {
  it.each([
    ['packages/a/test/long/store.redis.test.ts', ['redis']],
    ['packages/a/test/long/flow.dex.browser.test.ts', ['browser', 'dex']],
    ['packages/a/test/long/store.cluster.test.ts', ['cluster']],
    ['packages/a/test/long/redis.test.ts', []],
    ['packages/a.dex.b/test/long/plain.test.ts', []],
  ])('%s: %j', (file, peers) => {
    expect(peersOf(file)).toEqual(peers);
  });

  it('are found in the folders of long tests alone', async () => {
    const tree = {
      'packages/a/package.json': '{}',
      'packages/a/test/long/deep/flow.dex.test.ts': '',
      'packages/a/test/long/plain.test.ts': '',
      'packages/a/test/quick.dex.test.ts': '',
      'apps/b/package.json': '{}',
    };
    expect(await withToyTree(tree, (root) => Promise.resolve(filesWithPeers(root)))).toEqual([
      'packages/a/test/long/deep/flow.dex.test.ts',
    ]);
  });
});

describe('a machine without a peer', () => {
  it('does not run the files that need it, and says why', () => {
    const files = [
      'packages/a/test/long/a.dex.browser.test.ts',
      'packages/a/test/long/b.redis.test.ts',
    ];
    expect(notRun(files, { dex: 'Go is not in PATH' })).toEqual([
      { file: 'packages/a/test/long/a.dex.browser.test.ts', reason: 'Go is not in PATH' },
    ]);
    expect(notRun(files, {})).toEqual([]);
  });

  it('excludes them by their names', () => {
    expect(patternsOf(['dex'])).toEqual(['**/*.dex.test.ts', '**/*.dex.*.test.ts']);
  });
});
