import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import os from 'node:os';

/** Distinguishes containers that share a host name but not their process ids. */
const processNamespace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
};

/** Identifies the process id space of this process, as 8 hexadecimal digits. Process ids of another space have no meaning here. */
export const MACHINE_ID = createHash('sha256')
  .update(`${os.hostname()} ${processNamespace()}`)
  .digest('hex')
  .slice(0, 8);
