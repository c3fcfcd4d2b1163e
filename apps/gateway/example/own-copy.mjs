// Copies the configuration of the example with other ports: its files name the usual ones.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { USUAL } from './ports.mjs';

/** The files of the configuration, and what its servers need. */
const COPIED = ['config.yaml', 'mcpservers', 'workflows', 'sample', 'servers'];
const NAMED_IN = { agents: 'agent-manager', remote: 'everything-http' };

/** Returns the configuration directory for these ports: the example, or a new copy next to it, which relative paths of the example require. */
export function configurationFor(example, ports) {
  const changed = Object.keys(NAMED_IN).filter((name) => ports[name] !== USUAL[name]);
  if (changed.length === 0) return example;
  const copy = join(example, '../.example');
  mkdirSync(copy, { recursive: true });
  for (const name of COPIED) {
    rmSync(join(copy, name), { recursive: true, force: true });
    cpSync(join(example, name), join(copy, name), { recursive: true });
  }
  for (const name of changed) {
    const file = join(copy, 'mcpservers', `${NAMED_IN[name]}.yaml`);
    const [usual, port] = [USUAL[name], ports[name]].map((number) => `127.0.0.1:${number}/`);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(usual, port));
  }
  return copy;
}
