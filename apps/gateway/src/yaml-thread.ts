import { parentPort } from 'node:worker_threads';
import { serveYaml } from '@gateway/durable-files';

if (parentPort !== null) serveYaml(parentPort);
