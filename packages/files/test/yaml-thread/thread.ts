import { parentPort } from 'node:worker_threads';
import { serveYaml } from '../../src/yaml-thread/serve-yaml.ts';

if (parentPort !== null) serveYaml(parentPort);
