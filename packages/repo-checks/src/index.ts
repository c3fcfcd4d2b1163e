export { BUNDLED_PROGRAM } from './bundled-program.ts';
export { configDirectory, type ConfigDirectory } from './config-directory.ts';
export { eventually } from './eventually.ts';
export { haltingSteps, refuseLinks } from './file-steps.ts';
export type { GeneratedFile } from './repository-files.ts';
export { requirementsOf, type Requirements } from './requirement.ts';
