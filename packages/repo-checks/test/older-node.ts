import { resolve } from 'node:path';
import { STARTING_NODE } from '../bootstrap/application-node.mjs';

/** The Node 20 that npm installs for these tests: the first release that is supported. */
const INSTALLED = resolve(import.meta.dirname, '../node_modules/node-20-linux-x64/bin/node');

/**
 * Returns the oldest Node there is: the one that started the tests if it is older than the one that runs them, else the one that
 * npm installed.
 */
export const olderNode = (): string => {
  const starting = process.env[STARTING_NODE];
  return starting !== undefined && starting !== process.execPath ? starting : INSTALLED;
};
