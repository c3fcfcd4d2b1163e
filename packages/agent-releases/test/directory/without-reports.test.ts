import files from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect } from 'vitest';
import { agentStoreSuite } from '../suite/agent-store-suite.ts';
import { storeUnderTest } from './release-directory.ts';

const { watch } = files;
let asked = 0;

beforeAll(() => {
  // As systems answer that have no watch left.
  const refused = (): never => {
    asked += 1;
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  };
  Object.assign(files, { watch: refused });
  syncBuiltinESMExports();
});

afterAll(() => {
  expect(asked).toBeGreaterThan(0);
  Object.assign(files, { watch });
  syncBuiltinESMExports();
});

agentStoreSuite({
  name: 'a directory of which nothing is reported',
  open: storeUnderTest,
  isOpenWithoutModels: true,
});
