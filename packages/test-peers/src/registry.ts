import { debianProgram } from './programs.ts';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from './certificate-authority.ts';
import { stringify } from 'yaml';
import { ChildPrograms, freePort, untilReady } from './processes.ts';

/**
 * Returns the path of the registry of the Distribution project.
 * @throws {PeerMissing} when this machine cannot have it
 */
export const registryProgram = (): Promise<string> => debianProgram('docker-registry');

/** A running registry (OCI distribution specification) that accepts pushes of everyone. */
export interface TestRegistry {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** The path of the authority of its certificate as PEM. */
  readonly authority: string;
  readonly close: () => Promise<void>;
}

const NAME = 'docker-registry';

interface RegistryFiles {
  readonly authority: string;
  readonly configuration: string;
}

const writeFiles = async (
  folder: string,
  host: string,
  authority: CertificateAuthority,
): Promise<RegistryFiles> => {
  const { cert, key } = await authority.server();
  const file = (name: string): string => join(folder, name);
  await writeFile(file('authority.pem'), authority.cert);
  await writeFile(file('registry.pem'), cert);
  await writeFile(file('registry.key'), key, { mode: 0o600 });
  const configuration = {
    version: 0.1,
    storage: { filesystem: { rootdirectory: file('storage') } },
    http: {
      addr: host,
      secret: 'of the tests',
      tls: { certificate: file('registry.pem'), key: file('registry.key') },
    },
  };
  await writeFile(file('registry.yaml'), stringify(configuration));
  return { authority: file('authority.pem'), configuration: file('registry.yaml') };
};

const answers = async (host: string, ca: string): Promise<boolean> => {
  try {
    const [response] = (await once(get(`https://${host}/v2/`, { ca }), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    return response.statusCode === 200;
  } catch {
    return false;
  }
};

/**
 * Starts a registry on the loopback address. Resolves when it answers. It ends with this process, and its files are removed then.
 * @throws {PeerMissing} when this machine cannot have it
 */
export const startRegistry = async (): Promise<TestRegistry> => {
  const program = await registryProgram();
  const folder = await mkdtemp(join(tmpdir(), 'registry-'));
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const certificates = await CertificateAuthority.create();
  const { authority, configuration } = await writeFiles(folder, host, certificates);
  const programs = new ChildPrograms(folder);
  const child = programs.start(NAME, program, ['serve', configuration]);
  try {
    await untilReady(child, () => answers(host, certificates.cert));
  } catch (error) {
    const log = programs.logOf(NAME);
    await programs.close();
    throw new Error(`The registry does not answer:\n${log}`, { cause: error });
  }
  return { host, authority, close: () => programs.close() };
};
