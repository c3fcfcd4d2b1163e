import path from 'node:path';
import { claimFile, type FileClaim } from '../writing/claim-file.ts';

/**
 * Claims a directory for this process, so that two processes of one machine do not write to it. One directory is for one gateway:
 * what another machine wrote counts for nothing. Rejects when the directory cannot be written to.
 */
export const claimDirectory = (directory: string): Promise<FileClaim> =>
  claimFile(path.join(directory, '.lock'));
