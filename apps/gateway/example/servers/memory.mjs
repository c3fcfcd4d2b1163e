// Starts the knowledge graph server on a file of its own: `node servers/memory.mjs <graph>`.
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const graph = process.argv[2] ?? 'default';
const data = resolve(dirname(fileURLToPath(import.meta.url)), '../data');
mkdirSync(data, { recursive: true });
process.env.MEMORY_FILE_PATH = resolve(data, `${graph}.jsonl`);
await import('@modelcontextprotocol/server-memory/dist/index.js');
