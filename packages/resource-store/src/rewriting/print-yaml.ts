import { Document } from 'yaml';

/** Long lines stay as they are. */
export const PRINTED = { lineWidth: 0 } as const;
/** Equal parts are written out instead of referred to, since people edit these files. */
export const WRITTEN_OUT = { aliasDuplicateObjects: false } as const;

/** Plain data as a YAML 1.2 document in lines, which older readers take for the same: "yes" is no boolean. */
export const printYaml = (value: unknown): string =>
  new Document(value, { ...WRITTEN_OUT, schema: 'core', compat: 'yaml-1.1' }).toString(PRINTED);
