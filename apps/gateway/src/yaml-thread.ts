import { parentPort } from 'node:worker_threads';
import { serveYaml } from '@gateway/files';

if (parentPort !== null) serveYaml(parentPort);
