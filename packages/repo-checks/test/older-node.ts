import { resolve } from 'node:path';
import { olderNode as olderNodeOf } from '../bootstrap/application-node.mjs';

/**
 * Returns the oldest Node there is: the one that started the tests if it is older than the one that runs them, else the one that
 * npm installed.
 */
export const olderNode = (): string => olderNodeOf(resolve(import.meta.dirname, '../../..'));
