import type { YamlProblem } from '../yaml/compose-yaml.ts';
import type { DocumentPath, Position } from '../yaml/yaml-position.ts';

/** A text to parse, and the paths whose positions are needed. */
export interface YamlRequest {
  readonly text: string;
  readonly paths: readonly DocumentPath[];
}

/** The value of a text with the positions of the requested paths, or its problems. */
export type YamlAnswer =
  | { readonly ok: true; readonly value: unknown; readonly positions: readonly Position[] }
  | { readonly ok: false; readonly problems: readonly YamlProblem[] };
