import { Document } from 'yaml';

/** Long lines are not folded. */
export const PRINTED = { lineWidth: 0 } as const;
/** Equal parts are repeated instead of aliased, because people edit these files. */
export const WRITTEN_OUT = { aliasDuplicateObjects: false } as const;

/** Returns plain data as a block-style YAML 1.2 document that YAML 1.1 parsers read alike: strings such as "yes" are quoted. */
export const printYaml = (value: unknown): string =>
  new Document(value, { ...WRITTEN_OUT, schema: 'core', compat: 'yaml-1.1' }).toString(PRINTED);
