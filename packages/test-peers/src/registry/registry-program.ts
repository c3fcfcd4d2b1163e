import { debianProgram } from '../debian-program.ts';

/**
 * Returns the path of the registry of the Distribution project.
 * @throws {PeerMissing} when this machine cannot have it
 */
export const registryProgram = (): Promise<string> => debianProgram('docker-registry');
