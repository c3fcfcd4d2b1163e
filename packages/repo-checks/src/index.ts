export { BUNDLED_PROGRAM } from './bundled-program.ts';
export { createTestConfigDirectory, type ConfigDirectory } from './config-directory.ts';
export { retryAssertion } from './eventually.ts';
export { installStepHalts, refuseLinks } from './file-steps.ts';
export type { GeneratedFile } from './repository-files.ts';
export { defineRequirements, type Requirements } from './requirement.ts';
