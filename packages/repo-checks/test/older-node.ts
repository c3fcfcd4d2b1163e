import { resolve } from 'node:path';
import { olderNode as olderNodeOf } from '../bootstrap/application-node.mjs';

/** Returns the oldest supported Node, as npm installed it. */
export const olderNode = (): string => olderNodeOf(resolve(import.meta.dirname, '../../..'));
