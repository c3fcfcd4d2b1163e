export { BUNDLED_PROGRAM } from './bundled-program.ts';
export type { GeneratedFile } from './generated-file.ts';
export { requirementsOf, type Requirements } from './requirement.ts';
