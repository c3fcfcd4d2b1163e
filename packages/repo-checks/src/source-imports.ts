import { posix } from 'node:path';

/** A file of the repository and its text. */
export interface SourceText {
  /** Relative to the repository, with slashes. */
  readonly file: string;
  readonly text: string;
}

/** An import of one file of the repository by another. */
export interface FileImport {
  readonly from: string;
  readonly to: string;
}

const RELATIVE = /(?:^(?:import|export)\b[^;]*?\bfrom |^import |\bimport\()'(?<path>\.[^']+)'/gms;

/** Returns the relative imports of a file, types included. */
export const importsIn = ({ file, text }: SourceText): readonly FileImport[] =>
  [...text.matchAll(RELATIVE)].map((match) => ({
    from: file,
    to: posix.join(posix.dirname(file), match.groups?.['path'] ?? ''),
  }));
