import { expect, it } from 'vitest';
import { formatWriteFailure } from '../../src/file-errors.ts';

it.each([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space is left on the device'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'the file would be larger than this process may write'],
  ['ENAMETOOLONG', 'the name is too long for the file system'],
  ['ENOENT', 'its directory does not exist'],
  ['ENOTDIR', 'its directory is not a directory'],
  ['EEXIST', 'its directory is not a directory'],
  ['EISDIR', 'it is not a regular file'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['EIO', 'the device reports an error'],
  ['ESTALE', 'ESTALE'],
])('describes %s as: %s', (code, text) => {
  const error = Object.assign(new Error(`${code}: open '/secret/place'`), { code });
  expect(formatWriteFailure(error)).toBe(text);
});
