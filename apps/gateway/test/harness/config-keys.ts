import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './example-copy.ts';

const REFERENCE = readFileSync(join(REPOSITORY, 'docs/reference/configuration.md'), 'utf8');

/** The keys of `config.yaml`, each with its default and the accepted values, as the generated reference has them. */
export const CONFIG_KEYS = [
  ...REFERENCE.matchAll(/^- `([^`]+)`(?: \(([^;]*?)(?:; ([^)]*))?\))?: /gmu),
].map(([, key = '', value = '', accepted = '']) => ({ key, value, accepted }));
