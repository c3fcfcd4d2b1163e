import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import os from 'node:os';

/** Containers that share a name have process ids of their own. */
const processSpace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
};

/** Whose process ids this process knows, in 8 hexadecimal digits. They say nothing about processes of another machine. */
export const THIS_MACHINE = createHash('sha256')
  .update(`${os.hostname()} ${processSpace()}`)
  .digest('hex')
  .slice(0, 8);
