import { RecordDirectory } from '@gateway/files';
import { createTestConfigDirectory } from '@gateway/repo-checks';
import { onTestFinished } from 'vitest';
import { recordContract } from '../record-contract.suite.ts';

recordContract('files', () => {
  const directory = createTestConfigDirectory();
  onTestFinished(() => {
    directory.remove();
  });
  const open = () => new RecordDirectory(`${directory.path}/runs`);
  return Promise.resolve({ blobs: open(), again: open });
});
